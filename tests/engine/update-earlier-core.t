# a skill that was written for an earlier core is merged with the files of that core, under the names that they have now
unlisted: p/.nanoclaw
ignore: newer
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
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5

a 7
a 8
a 9
a 10
a 11
a 12
-- new/c.txt --
b 1
b 2
b 3 core
b 4
b 5
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- p/skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt, b.txt]
-- p/skills/old/SKILL.md --
# old
-- p/skills/old/modify/a.txt --
a 1
a 2 old
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
-- p/skills/old/modify/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
b 9
b 10 old
b 11
b 12
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q --yes update ../new
> Core updated: 0.5.0 → 0.6.0
$ cp -r new newer
$ echo 0.7.0 > newer/VERSION
$ sed -i 's/^b 5$/b 5 core/' newer/c.txt
$ mv newer/c.txt newer/d.txt
$ echo more >> newer/a.txt
$ nanoclaw -C p -q --yes update ../newer
> Core updated: 0.6.0 → 0.7.0
$ grep -A3 path_remap p/.nanoclaw/state.yaml
> path_remap:
>   b.txt: d.txt
>   c.txt: d.txt
> skills_system_version: 0.1.0
$! nanoclaw -C p skill apply old
> old 1.0.0 applied
>   merged    a.txt
>   merged    d.txt
$ cat p/a.txt p/d.txt
> a 1
> a 2 old
> a 3
> a 4
> a 5
>
> a 7
> a 8
> a 9
> a 10
> a 11
> a 12
> more
> b 1
> b 2
> b 3 core
> b 4
> b 5 core
> b 6
> b 7
> b 8
> b 9
> b 10 old
> b 11
> b 12
$ nanoclaw -C p verify
> 7 files checked: all as recorded
$ nanoclaw -C p -q skill remove old
> old 1.0.0 removed
$ diff -r -x .nanoclaw -x skills p newer
== after ==
-- p/VERSION --
0.7.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5

a 7
a 8
a 9
a 10
a 11
a 12
more
-- p/d.txt --
b 1
b 2
b 3 core
b 4
b 5 core
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- !p/b.txt --
