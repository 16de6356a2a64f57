# a conflict pauses an update; when it is resolved, continue does the rest, and each skill keeps its part
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
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
b 4
b 5
b 6
b 7 one
b 8
-- p/skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/two/SKILL.md --
# two
-- p/skills/two/modify/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7 two
a 8
-- new/VERSION --
0.6.0
-- new/a.txt --
a 1
a 2
a 3
a 4 core
a 5
a 6
a 7
a 8
-- new/b.txt --
b 1
b 2 core
b 3
b 4
b 5
b 6
b 7
b 8
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one two
> one 1.0.0 applied
> two 1.0.0 applied
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  3 files modified (VERSION, a.txt, b.txt)
>
>   Conflicts:
>     a.txt: you or a resolver must resolve it
$! nanoclaw -C p --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat p/a.txt
> a 1
> a 2
> a 3
> <<<<<<< yours (one 1.0.0)
> a 4 one
> ||||||| core 0.5.0
> a 4
> =======
> a 4 core
> >>>>>>> core 0.6.0
> a 5
> a 6
> a 7 two
> a 8
$ nanoclaw -C p status
> core 0.5.0
>   one 1.0.0
>   two 1.0.0
>
> 'update' is paused; to resolve:
>   a.txt  (core)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw -C p skill apply one
? 4
2> error: an operation is paused in '[dir]/p'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ nanoclaw -C p continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'a.txt' still has conflict markers
$ sed -i -e '/^<<</d' -e '/^|||/,/^===/d' -e '/^>>>/d' -e 's/^a 4 one/a 4 one and core/' -e '/^a 4 core/d' p/a.txt
$ cat p/a.txt
> a 1
> a 2
> a 3
> a 4 one and core
> a 5
> a 6
> a 7 two
> a 8
$! nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ nanoclaw -C p verify
> 12 files checked: all as recorded
$ nanoclaw -C p diff --by a.txt
> a.txt
> core            1  a 1
>                 2  a 2
>                 3  a 3
> you (resolved)  4  a 4 one and core
> core            5  a 5
>                 6  a 6
> two             7  a 7 two
> core            8  a 8
>   6 core, 1 skill two, 1 you (resolved)
# The resolved lines belong to the skill that did not fit.
$ nanoclaw -C p -q skill remove two
> two 1.0.0 removed
$ cat p/a.txt
> a 1
> a 2
> a 3
> a 4 one and core
> a 5
> a 6
> a 7
> a 8
$ nanoclaw -C p -q undo
$ nanoclaw -C p -q skill remove one
> one 1.0.0 removed
$ cat p/a.txt p/b.txt
> a 1
> a 2
> a 3
> a 4 core
> a 5
> a 6
> a 7 two
> a 8
> b 1
> b 2 core
> b 3
> b 4
> b 5
> b 6
> b 7
> b 8
$ nanoclaw -C p verify
> 9 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4 core
a 5
a 6
a 7 two
a 8
-- p/b.txt --
b 1
b 2 core
b 3
b 4
b 5
b 6
b 7
b 8
