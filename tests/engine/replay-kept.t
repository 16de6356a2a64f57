# files that come from updates, or from a person's resolutions, are restored from the saved copy
unlisted: p copy
recover: nanoclaw -C copy status
-- copy/ --
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
one
x
two
three
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/y/modify/a.txt --
one
y
two
three
== run ==
$ cd p; nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null; printf 'one\nx\ny\ntwo\nthree\n' >a.txt; nanoclaw -q continue
> x 1.0.0 applied
> y 1.0.0 applied
# The update is merged into a file in which both have their lines already.
$ cd p; sed -i s/1.0.0/2.0.0/ skills/x/manifest.yaml; sed -i s/core_version:.*/core_version:\ 1.0.0/ skills/x/manifest.yaml; echo more >>skills/x/modify/a.txt; nanoclaw -q skill update; rm -rf .nanoclaw/rr-cache .nanoclaw/hunks
> y 1.0.0 is already applied
> x 2.0.0 (before: 1.0.0) applied
$! nanoclaw -C p -v replay --into ../copy
> 2 skills and 0 patches replayed: 1 file is as recorded
>   kept      a.txt: merging again gives another result; the saved copy is used
>             recorded 086f7fcb33b9, got ffb5adab9242
> the installation is in '[dir]/copy'
$ cat copy/a.txt; diff -r -x .nanoclaw p copy; nanoclaw -C copy verify; nanoclaw -C p replay
> one
> x
> y
> two
> three
> more
> 6 files checked: all as recorded
> 2 skills and 0 patches replayed: 1 file is as recorded
>   1 of them is from the saved copy, because merging again gives another result ('-v' shows them)
# Without that, it is unknown.
$ rm -r p/.nanoclaw/objects; nanoclaw -C p replay --into ../second; ls -d second
? 2
2> error: 'a.txt': no resolution is known for the conflict with 'y'
2> hint: nothing was changed; recorded resolutions are looked for in '.claude/resolutions', and in 'resolutions' beside the state
2> ls: cannot access 'second': No such file or directory
