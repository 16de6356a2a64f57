# skills whose package is newer in the new core are applied again, with what is tied to them
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
a 8
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
a 4
a 5
a 6 one
a 7
a 8
a 9
a 10
a 11
a 12
-- new/skills/one/manifest.yaml --
skill: one
version: 1.2.0
core_version: 0.6.0
adds: [more.txt, one.txt]
modifies: [a.txt]
-- new/skills/one/SKILL.md --
# one
-- new/skills/one/add/one.txt --
one 1.2
-- new/skills/one/add/more.txt --
more
-- new/skills/one/modify/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6 one 1.2
a 7
a 8
a 9
a 10
a 11
a 12
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
a 7
a 8
a 9
a 10
a 11 two
a 12
-- new/skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- new/skills/two/SKILL.md --
# two
-- new/skills/two/modify/a.txt --
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
a 11 other
a 12
-- new/skills/fresh/manifest.yaml --
skill: fresh
version: 1.0.0
core_version: 0.6.0
adds: [fresh.txt]
-- new/skills/fresh/SKILL.md --
# fresh
-- new/skills/fresh/add/fresh.txt --
fresh
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one two
> one 1.0.0 applied
> two 1.0.0 applied
$ nanoclaw -C p -q customize start --skill one "mine"
$ sed -i 's/^a 9$/a 9 mine/' p/a.txt
$ nanoclaw -C p -q customize commit
> recorded as one-mine
$ echo mine >> p/skills/one/add/one.txt
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  2 files modified (VERSION, a.txt)
>   Skills:  1 new skill added, 1 skill updated
>
>   Skill updates:
>     one 1.0.0 → 1.2.0
>
>   Custom patches in files that change:
>     one-mine
2> warning: the package 'skills/one' was changed since it was applied; these files of it are in '.nanoclaw/kept/one-1.0.0'
2> warning: the package 'skills/two' is not the new core's, and not older: it stays as it is
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ one 1.0.0 → 1.2.0
>
>   Custom patches re-applied:
>     ✓ one-mine
2> warning: the package 'skills/one' was changed since it was applied; these files of it are in '.nanoclaw/kept/one-1.0.0'
2> warning: the package 'skills/two' is not the new core's, and not older: it stays as it is
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   one 1.2.0
>   two 1.0.0
>   one-mine (custom patch)
$ cat p/a.txt
> a 1 core
> a 2
> a 3
> a 4
> a 5
> a 6 one 1.2
> a 7
> a 8
> a 9 mine
> a 10
> a 11 two
> a 12
$ find p/.nanoclaw/kept -type f
> p/.nanoclaw/kept/one-1.0.0/add/one.txt
$ nanoclaw -C p skill list
> skill  version  applied  description
> fresh  1.0.0    -
> one    1.2.0    1.2.0
> two    1.0.0    1.0.0
$ nanoclaw -C p --yes -q skill remove one
> one 1.2.0 removed
$ cat p/a.txt
> a 1 core
> a 2
> a 3
> a 4
> a 5
> a 6
> a 7
> a 8
> a 9
> a 10
> a 11 two
> a 12
$ nanoclaw -C p verify
> 5 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11 two
a 12
-- p/skills/fresh/SKILL.md --
# fresh
-- p/skills/fresh/add/fresh.txt --
fresh
-- p/skills/fresh/manifest.yaml --
skill: fresh
version: 1.0.0
core_version: 0.6.0
adds: [fresh.txt]
-- p/skills/one/add/more.txt --
more
-- p/skills/one/add/one.txt --
one 1.2
-- p/skills/one/manifest.yaml --
skill: one
version: 1.2.0
core_version: 0.6.0
adds: [more.txt, one.txt]
modifies: [a.txt]
-- p/skills/one/modify/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6 one 1.2
a 7
a 8
a 9
a 10
a 11
a 12
