# a rebase onto a new core is one operation: the update, and all of it flattened
unlisted: p/.nanoclaw
ignore: again
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
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [one.txt]
modifies: [a.txt]
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
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^a 11$/a 11 mine/' p/a.txt
$ nanoclaw -C p rebase ../new
? 2
2> error: not a terminal, cannot ask whether to update the core and rebase
2> hint: 'nanoclaw update ../new --preview' shows what the new core changes; '--yes' does both
$ nanoclaw -C p rebase ../new --dry-run
> Update available: 0.5.0 → 0.6.0
>
>   Source:  2 files modified (VERSION, a.txt)
>
>   Custom patches in files that change:
>     001-changes-to-a-txt
>
>   Your unrecorded changes would be recorded as 001-changes-to-a-txt.
$! nanoclaw -C p --yes rebase ../new
> your changes are recorded as 001-changes-to-a-txt
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-a-txt
>
>   ✓ Rebased: skills and patches are squashed
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p diff --by a.txt
> a.txt
> core    1  a 1 core
>         2  a 2
>         3  a 3
> one     4  a 4 one
> core    5  a 5
>         6  a 6
>         7  a 7
>         8  a 8 core
>         9  a 9
>        10  a 10
> baked  11  a 11 mine
> core   12  a 12
>   10 core, 1 skill one, 1 patch baked
$ nanoclaw -C p -q replay --into ../again
$ diff -r -x .nanoclaw -x skills p again
$ nanoclaw -C p -q undo
$ nanoclaw -C p status
> core 0.5.0
>   one 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
# And with a conflict in between.
$ sed -i 's/^a 8$/a 8 mine/' p/a.txt
$ nanoclaw -C p -q --yes rebase ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-a-txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^<<</d' -e '/^|||/,/^===/d' -e '/^>>>/d' -e '/^a 8 core/d' p/a.txt
$ nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-a-txt
>
>   ✓ Rebased: skills and patches are squashed
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p customize list
> no custom patches are recorded here
$ nanoclaw -C p -q --yes rebase
> nothing to do: everything is already squashed
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
a 8 mine
a 9
a 10
a 11 mine
a 12
-- p/one.txt --
one
