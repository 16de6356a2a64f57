# skills that an update brings a newer version of are in its report, also after a pause
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
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
three
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- p/skills/y/add/y.txt --
y
-- new/VERSION --
2.0.0
-- new/a.txt --
one
two
three
-- new/skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
modifies: [a.txt]
-- new/skills/x/modify/a.txt --
one
x two
three
-- new/skills/y/manifest.yaml --
skill: y
version: 2.0.0
core_version: 1.0.0
adds: [y.txt]
-- new/skills/y/add/y.txt --
y two
== run ==
$ nanoclaw -C p -q skill apply x y; sed -i 's/^x$/x mine/' p/a.txt
> x 1.0.0 applied
> y 1.0.0 applied
$! nanoclaw -C p --yes update ../new
? 3
> your changes are recorded as 001-changes-to-a-txt
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf 'one\nx two mine\nthree\n' > p/a.txt; nanoclaw -C p continue
> Core updated: 1.0.0 → 2.0.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ x 1.0.0 → 2.0.0
>     ✓ y 1.0.0 → 2.0.0
$ nanoclaw -C p verify
> 10 files checked: all as recorded
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
one
x two mine
three
-- p/y.txt --
y two
-- p/skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
one
x two
three
-- p/skills/y/manifest.yaml --
skill: y
version: 2.0.0
core_version: 1.0.0
adds: [y.txt]
-- p/skills/y/add/y.txt --
y two
