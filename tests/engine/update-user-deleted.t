# files that a person deleted stay deleted, recorded or not
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
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
-- p/c.txt --
c 1
c 2
c 3
c 4
c 5
c 6
c 7
c 8
-- p/n.txt --
n
-- new/n.txt --
n
-- new/a.txt --
a 1
core
a 3
a 4
a 5
a 6
a 7
a 8
-- new/moved.txt --
b 1
core
b 3
b 4
b 5
b 6
b 7
b 8
-- new/c.txt --
c 1
c 2
c 3
c 4
c 5
c 6
c 7
c 8
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q customize start "no a"
$ rm p/a.txt
$ nanoclaw -C p -q customize commit
> recorded as 001-no-a
$ rm p/b.txt p/c.txt
$ nanoclaw -C p status
> core 0.5.0
>   001-no-a (custom patch)
>
> your unrecorded changes:
>   deleted   b.txt
>   deleted   c.txt
$! nanoclaw -C p --yes update ../new --on-drift continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-no-a
>
>   Deleted by you, still deleted:
>     a.txt
>     moved.txt
$ nanoclaw -C p status
> core 0.6.0
>   001-no-a (custom patch)
>
> your unrecorded changes:
>   deleted   c.txt
>   deleted   moved.txt
$ ls p
> VERSION
> n.txt
$ nanoclaw -C p -q undo
$ nanoclaw -C p --yes update ../new
> your changes are recorded as 002-changes-to-b-txt-and-1-more-file
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-no-a
>     ✓ 002-changes-to-b-txt-and-1-more-file
>
>   Deleted by you, still deleted:
>     a.txt
>     moved.txt
$ nanoclaw -C p verify
> 15 files checked: all as recorded
$ ls p
> VERSION
> n.txt
== after ==
-- p/VERSION --
0.6.0
-- !p/a.txt --
-- !p/b.txt --
-- !p/c.txt --
