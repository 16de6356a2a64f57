# abort undoes a whole update, including base and state
unlisted: p/.nanoclaw
ignore: before
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
$ cp -r p before
$ nanoclaw -C p -q --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$! nanoclaw -C p abort
> everything is as it was before 'update'
$ diff -r -x index -x history before p
== after ==
-- p/a.txt --
a 1
a 2
a 3
a 4 one
a 5
a 6
a 7 two
a 8
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7 one
b 8
