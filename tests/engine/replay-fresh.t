# on a fresh core, a state with its patches and a known resolution gives the installation again
unlisted: p kit fresh
recover: nanoclaw -C fresh status
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
-- p/b.txt --
b
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: grep -q x a.txt
-- p/skills/x/modify/a.txt --
one
two x
three
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/y/modify/a.txt --
one
two y
three
-- kit/ --
-- fresh/ --
== run ==
$ cp -r p/. fresh
$ cd p; nanoclaw -q skill apply x; echo first >>b.txt; nanoclaw -q skill apply y --on-drift record
? 3
> x 1.0.0 applied
> y 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cd p; printf 'one\ntwo x y\nthree\n' >a.txt; nanoclaw -q continue; nanoclaw -q resolution record --into .claude/resolutions; printf 'second\n' >>a.txt; nanoclaw -q customize start s --on-drift record; nanoclaw -q customize abort
> y 1.0.0 applied
> recorded in .claude/resolutions/x@1.0.0+y@1.0.0
> your changes are recorded as 002-changes-to-a-txt
$ cp -r p/.nanoclaw/state.yaml p/.nanoclaw/custom kit; ls kit
> custom
> state.yaml
# Nothing but the state and the patches: the conflict is resolved by what the project ships.
$ nanoclaw -C fresh replay --state ../kit/state.yaml
? 1
2> error: 'a.txt': no resolution is known for the conflict with 'y'
2> hint: nothing was changed; recorded resolutions are looked for in '.claude/resolutions', and in 'resolutions' beside the state
$ mkdir -p fresh/.claude; cp -r p/.claude/resolutions fresh/.claude
$! nanoclaw -C fresh replay --state ../kit/state.yaml
> 2 skills and 2 patches replayed: 2 files are as recorded
> 1 test passed
$ diff -r -x .nanoclaw p fresh; nanoclaw -C fresh verify; cat fresh/a.txt fresh/b.txt
> 14 files checked: all as recorded
> one
> two x y
> three
> second
> b
> first
$ nanoclaw -C fresh replay --state ../kit/state.yaml
? 2
2> error: '[dir]/fresh' is an installation itself
2> hint: '--into DIR' builds the other one in a separate folder
$ nanoclaw -C fresh undo; ls -A fresh; nanoclaw -C fresh status
> 'replay' is undone
>   restored  a.txt
>   restored  b.txt
> .claude
> VERSION
> a.txt
> b.txt
> skills
> no skills have been applied here
# From a folder that is nothing of all that, into one beside it.
$ mkdir build; cd build; nanoclaw -q replay --state ../kit/state.yaml --core ../fresh --into copy; nanoclaw -C copy verify; cat copy/a.txt; ls -A; rm -r ../build
> 14 files checked: all as recorded
> one
> two x y
> three
> second
> copy
