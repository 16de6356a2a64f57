# a file that the new core drops is deleted, unless it was changed: then the person decides
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
-- p/d/plain.txt --
plain
-- p/e.txt --
e
-- new/e.txt --
e
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt, b.txt]
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4 one
a 5
a 6
a 7
a 8
-- p/skills/one/modify/b.txt --
b 1
b 2
b 3
b 4 one
b 5
b 6
b 7
b 8
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^c 2$/c 2 mine/' p/c.txt
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  1 file modified (VERSION), 1 file deleted (d/plain.txt), 3 files dropped; you decide (a.txt, b.txt, c.txt)
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-c-txt
>
>   Conflicts:
>     a.txt: the new core dropped it; keep it or delete it
>     b.txt: the new core dropped it; keep it or delete it
>     c.txt: the new core dropped it; keep it or delete it
>
>   Your unrecorded changes would be recorded as 001-changes-to-c-txt.
$! nanoclaw -C p --yes update ../new
? 3
> your changes are recorded as 001-changes-to-c-txt
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-c-txt
>
> To resolve:
>   a.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
>   b.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
>   c.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ ls p
> VERSION
> a.txt
> b.txt
> c.txt
> e.txt
> skills
$ nanoclaw -C p --json status
> {
>   "coreVersion": "0.5.0",
>   "drift": [],
>   "driftDetails": [],
>   "host": null,
>   "initialized": true,
>   "pending": {
>     "conflicts": [
>       "a.txt",
>       "b.txt",
>       "c.txt"
>     ],
>     "operation": "update",
>     "toSettle": [
>       {
>         "kind": "decision",
>         "path": "a.txt",
>         "skill": "core"
>       },
>       {
>         "kind": "decision",
>         "path": "b.txt",
>         "skill": "core"
>       },
>       {
>         "kind": "decision",
>         "path": "c.txt",
>         "skill": "core"
>       }
>     ]
>   },
>   "skills": [
>     {
>       "name": "one",
>       "version": "1.0.0"
>     }
>   ],
>   "sources": [
>     {
>       "kind": "skill",
>       "name": "one",
>       "sha256": "be9e2bb21e50e644ea682b9a53b6b6e54c46ae1d693ad2dceb65e3782b257579",
>       "source": "skills/one",
>       "version": "1.0.0"
>     }
>   ],
>   "success": true
> }
# The first is deleted, the others are kept.
$ rm p/a.txt
$! nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-c-txt
$ nanoclaw -C p verify
> 10 files checked: all as recorded
$ nanoclaw -C p diff --by b.txt
> b.txt
> one  1  b 1
>      2  b 2
>      3  b 3
>      4  b 4 one
>      5  b 5
>      6  b 6
>      7  b 7
>      8  b 8
>   8 skill one
$ nanoclaw -C p diff --by c.txt
> c.txt
> 001-changes-to-c-txt  1  c 1
>                       2  c 2 mine
>                       3  c 3
>                       4  c 4
>                       5  c 5
>                       6  c 6
>                       7  c 7
>                       8  c 8
>   8 patch 001-changes-to-c-txt
$ cat p/.nanoclaw/custom/*.patch
> diff --git a/c.txt b/c.txt
> new file mode 100644
> index 0000000000000000000000000000000000000000..928d4a28d166921e044940329c64c8746597ae8f
> --- /dev/null
> +++ b/c.txt
> @@ -0,0 +1,8 @@
> +c 1
> +c 2 mine
> +c 3
> +c 4
> +c 5
> +c 6
> +c 7
> +c 8
# Nobody else has what the skill had kept.
$ nanoclaw -C p --yes skill remove one
> one 1.0.0 removed
>   removed   b.txt
$ nanoclaw -C p verify
> 7 files checked: all as recorded
$ ls p
> VERSION
> c.txt
> e.txt
> skills
== after ==
-- p/VERSION --
0.6.0
-- p/c.txt --
c 1
c 2 mine
c 3
c 4
c 5
c 6
c 7
c 8
-- !p/a.txt --
-- !p/b.txt --
-- !p/d/plain.txt --
-- !p/d --
