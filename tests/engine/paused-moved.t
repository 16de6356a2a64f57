# a project is moved while it is paused: the packages that wait are found
unlisted: q/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
x
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- p/skills/y/add/y.txt --
y
== run ==
$ nanoclaw -C p -q init; echo mine > p/a.txt; nanoclaw -C p -q skill apply --on-drift record x y
? 3
> x 1.0.0 paused
> y 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ mv p q; echo both > q/a.txt; nanoclaw -C q -q continue
> x 1.0.0 applied
> y 1.0.0 applied
== after ==
-- !p --
-- q/VERSION --
1.0.0
-- q/a.txt --
both
-- q/y.txt --
y
-- q/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- q/skills/x/modify/a.txt --
x
-- q/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- q/skills/y/add/y.txt --
y
