# a resolver gets migration.md, and what it resolves is recorded for the layer that did not fit
# Where the resolver's folder cannot be read, the operation pauses instead.
faults: kill torn eio enospc call
unlisted: p/.nanoclaw
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
-- new/a.txt --
a 1
a 2
a 3
a 4 core
a 5
a 6
a 7
a 8
-- new/.nanoclaw-meta/migration.md --
# Keep both
-- resolve [755] --
#!/bin/sh
grep -c "Keep both" >&2
sed -i -e "/^<<</d" -e "/^|||/,/^===/d" -e "/^>>>/d" -e "s/ mine/ mine and core/" -e "/4 core/d" a.txt
== run ==
$ nanoclaw -C p -q init
$ sed -i 's/^a 4$/a 4 mine/' p/a.txt
$! nanoclaw -C p --yes update ../new --resolver "$PWD/resolve"
> your changes are recorded as 001-changes-to-a-txt
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-a-txt
$ cat p/a.txt
> a 1
> a 2
> a 3
> a 4 mine and core
> a 5
> a 6
> a 7
> a 8
$ nanoclaw -C p verify
> 9 files checked: all as recorded
== after ==
-- p/.nanoclaw-meta/migration.md --
# Keep both
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4 mine and core
a 5
a 6
a 7
a 8
