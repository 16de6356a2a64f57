# a file that the person deleted stays deleted when a newer skill comes with the core
unlisted: p
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
a 9
a 10
a 11
a 12
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [one.txt]
modifies: [a.txt, b.txt]
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 one
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/modify/b.txt --
b 1
b 2
b 3
b 4
b 5 one
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- p/skills/one/add/one.txt --
one
-- new/VERSION --
0.6.0
-- new/a.txt --
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
-- new/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- new/skills/one/manifest.yaml --
skill: one
version: 1.1.0
core_version: 0.6.0
adds: [one.txt]
modifies: [a.txt, b.txt]
-- new/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 one 1.1
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/skills/one/modify/b.txt --
b 1
b 2
b 3
b 4
b 5 one 1.1
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- new/skills/one/add/one.txt --
one 1.1
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ rm p/b.txt p/one.txt
# Nobody is asked, not even by the preview.
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  1 file modified (VERSION)
>   Skills:  1 skill updated
>
>   Skill updates:
>     one 1.0.0 → 1.1.0
>
>   Your unrecorded changes would be recorded as 001-changes-to-b-txt-and-1-more-file.
$ nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-b-txt-and-1-more-file
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ one 1.0.0 → 1.1.0
>
>   Deleted by you, still deleted:
>     one.txt
>     b.txt
$ ls p
> VERSION
> a.txt
> skills
$ grep one p/a.txt
> a 5 one 1.1
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p -q replay --into ../again
$ ls again
> VERSION
> a.txt
> skills
$ rm -r again
