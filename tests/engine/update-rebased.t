# an update of a project that was flattened, which is flattened again afterwards
unlisted: p/.nanoclaw
ignore: again third
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/old.txt --
o 1
o 2
o 3
o 4
o 5
o 6
o 7
o 8
o 9
o 10
o 11
o 12
-- p/gone.txt --
g 1
g 2
g 3
g 4
g 5
g 6
g 7
g 8
g 9
-- new/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6
a 7
a 8 core
a 9
a 10
a 11
a 12
-- new/new.txt --
o 1
o 2
o 3
o 4
o 5
o 6
o 7
o 8
o 9
o 10
o 11
o 12 core
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [one.txt]
modifies: [a.txt, old.txt]
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/add/one.txt --
one
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4 one
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/modify/old.txt --
o 1
o 2
o 3
o 4 one
o 5
o 6
o 7
o 8
o 9
o 10
o 11
o 12
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^a 8$/a 8 mine/' p/a.txt
$ sed -i 's/^o 8$/o 8 mine/' p/old.txt
$ sed -i 's/^g 8$/g 8 mine/' p/gone.txt
$ nanoclaw -C p -q --yes rebase
> rebased onto core 0.5.0; your files stayed as they are
$ nanoclaw -C p --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     baked
>
> To resolve:
>   gone.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^<<</d' -e '/^|||/,/^===/d' -e '/^>>>/d' -e 's/^a 8 mine/a 8 mine and core/' -e '/^a 8 core/d' p/a.txt
$ rm p/gone.txt
$! nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ baked
$ nanoclaw -C p verify
> 17 files checked: all as recorded
$ nanoclaw -C p diff --by a.txt
> a.txt
> core    1  a 1 core
>         2  a 2
>         3  a 3
> one     4  a 4 one
> core    5  a 5
>         6  a 6
>         7  a 7
> baked   8  a 8 mine and core
> core    9  a 9
>        10  a 10
>        11  a 11
>        12  a 12
>   10 core, 1 skill one, 1 patch baked
$ nanoclaw -C p diff --by new.txt
> new.txt
> core    1  o 1
>         2  o 2
>         3  o 3
> one     4  o 4 one
> core    5  o 5
>         6  o 6
>         7  o 7
> baked   8  o 8 mine
> core    9  o 9
>        10  o 10
>        11  o 11
>        12  o 12 core
>   10 core, 1 skill one, 1 patch baked
# Of the file, only that line is recorded as the person's.
$ grep -c "before: $(sed 's/^a 8.*/a 8 core/' p/a.txt | sha256sum | cut -c 1-64)" p/.nanoclaw/state.yaml
> 1
$ nanoclaw -C p -q replay --into ../again
$ diff -r -x .nanoclaw -x skills p again
$ nanoclaw -C p -q --yes rebase
> nothing to do: everything is already squashed
$ nanoclaw -C p verify
> 17 files checked: all as recorded
$ nanoclaw -C p -q replay --into ../third
$ diff -r -x .nanoclaw -x skills p third
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1 core
a 2
a 3
a 4 one
a 5
a 6
a 7
a 8 mine and core
a 9
a 10
a 11
a 12
-- p/new.txt --
o 1
o 2
o 3
o 4 one
o 5
o 6
o 7
o 8 mine
o 9
o 10
o 11
o 12 core
-- p/one.txt --
one
-- !p/gone.txt --
-- !p/old.txt --
