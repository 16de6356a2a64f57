# an update merges what the core has changed, and keeps skills and custom patches
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/src/a.txt --
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
a 13
a 14
a 15
a 16
a 17
a 18
a 19
a 20
-- p/src/b.txt --
b
-- p/src/gone/c.txt --
c
-- p/src/old.txt --
m 1
m 2
m 3
m 4
m 5
m 6
m 7
m 8
m 9
m 10
m 11
m 12
-- p/tool [755] --
tool
-- p/skills/hello/manifest.yaml --
skill: hello
version: 1.0.0
core_version: 0.5.0
adds: [src/h.txt]
modifies: [src/a.txt, src/old.txt]
test: grep -q hello src/a.txt
-- p/skills/hello/SKILL.md --
# hello
-- p/skills/hello/add/src/h.txt --
h
-- p/skills/hello/modify/src/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10 hello
a 11
a 12
a 13
a 14
a 15
a 16
a 17
a 18
a 19
a 20
-- p/skills/hello/modify/src/old.txt --
m 1
m 2
m 3
m 4
m 5
m 6 hello
m 7
m 8
m 9
m 10
m 11
m 12
-- new/VERSION --
0.6.0
-- new/src/a.txt --
a 1
a 2
a 3 core
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
a 13
a 14
a 15
a 16
a 17
a 18
a 19
a 20
-- new/src/b.txt --
b
-- new/src/d.txt --
d
-- new/src/new.txt --
m 1
m 2
m 3
m 4
m 5
m 6
m 7
m 8
m 9
m 10
m 11
m 12 core
-- new/tool --
tool 2
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply hello
> hello 1.0.0 applied
$ sed -i 's/^a 15$/a 15 mine/' p/src/a.txt
# Nobody is there to ask.
# There is no question about an impossible update.
$ nanoclaw -C p update ../nowhere
? 2
2> error: '../nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
$ nanoclaw -C p update ../new
? 2
2> error: not a terminal, cannot ask whether to update the core
2> hint: '--preview' shows the changes, and '--yes' makes them
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  4 files modified (VERSION, src/a.txt, src/new.txt, tool), 1 file added (src/d.txt), 1 file renamed (src/new.txt), 1 file deleted (src/gone/c.txt)
>
>   Custom patches in files that change:
>     001-changes-to-src-a-txt
>
> would run the test of hello: grep -q hello src/a.txt
>
>   Your unrecorded changes would be recorded as 001-changes-to-src-a-txt.
$! nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-src-a-txt
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-src-a-txt
>
>   ✓ All tests passing
$ nanoclaw -C p verify
> 17 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   hello 1.0.0
>   001-changes-to-src-a-txt (custom patch)
$ cat p/.nanoclaw/base/src/new.txt p/.nanoclaw/base/src/a.txt
> m 1
> m 2
> m 3
> m 4
> m 5
> m 6
> m 7
> m 8
> m 9
> m 10
> m 11
> m 12 core
> a 1
> a 2
> a 3 core
> a 4
> a 5
> a 6
> a 7
> a 8
> a 9
> a 10
> a 11
> a 12
> a 13
> a 14
> a 15
> a 16
> a 17
> a 18
> a 19
> a 20
$ ls p/.nanoclaw/base/src p/.nanoclaw/cores
> p/.nanoclaw/base/src:
> a.txt
> b.txt
> d.txt
> new.txt
>
> p/.nanoclaw/cores:
> 0.5.0
$ nanoclaw -C p --yes update ../new
> nothing to do: the core is already 0.6.0
# The way back, and again.
$ nanoclaw -C p -q undo
$ nanoclaw -C p status
> core 0.5.0
>   hello 1.0.0
>
> your unrecorded changes:
>   edited    src/a.txt
$ ls p/src p/.nanoclaw/base/src
> p/.nanoclaw/base/src:
> a.txt
> b.txt
> gone
> old.txt
>
> p/src:
> a.txt
> b.txt
> gone
> h.txt
> old.txt
$ nanoclaw -C p -q --yes update ../new
> Core updated: 0.5.0 → 0.6.0
# As if the skill had never been there.
$ nanoclaw -C p skill remove hello
> hello 1.0.0 removed
>   merged    src/a.txt
>   removed   src/h.txt
>   merged    src/new.txt
$ nanoclaw -C p verify
> 15 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/src/a.txt --
a 1
a 2
a 3 core
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
a 13
a 14
a 15 mine
a 16
a 17
a 18
a 19
a 20
-- p/src/d.txt --
d
-- p/src/new.txt --
m 1
m 2
m 3
m 4
m 5
m 6
m 7
m 8
m 9
m 10
m 11
m 12 core
-- p/tool --
tool 2
-- !p/src/gone/c.txt --
-- !p/src/old.txt --
-- !p/src/gone --
