# a resolution between two skills and a new core is not lost when one of the skills is removed
recover: nanoclaw -C p status
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
four
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
one
two x
three
four
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/y/modify/a.txt --
one
two y
three
four
-- new/VERSION --
1.1.0
-- new/a.txt --
one
two core
three
four
== run ==
$ nanoclaw -C p -q skill apply x; nanoclaw -C p -q skill apply y >/dev/null; printf 'one\ntwo x and y\nthree\nfour\n' > p/a.txt; nanoclaw -C p -q continue
> x 1.0.0 applied
> y 1.0.0 applied
$ nanoclaw -C p -q --yes update ../new >/dev/null; printf 'one\ntwo x, y and core\nthree\nfour\n' > p/a.txt; nanoclaw -C p -q continue >/dev/null
$! nanoclaw -C p -q skill remove y
? 3
> y 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf 'one\ntwo x and core\nthree\nfour\n' > p/a.txt; nanoclaw -C p -q continue; nanoclaw -C p verify
> y 1.0.0 removed
> 5 files checked: all as recorded
== after ==
-- p/VERSION --
1.1.0
-- p/a.txt --
one
two x and core
three
four
