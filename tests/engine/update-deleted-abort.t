# after abort, files that the new core has given up are there as they were
unlisted: p/.nanoclaw
ignore: before
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
$ cp -r p before
$ nanoclaw -C p -q --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
>   b.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm p/a.txt
$ nanoclaw -C p abort
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
a 7
a 8
-- p/b.txt --
b 1
b 2
b 3
b 4 one
b 5
b 6
b 7
b 8
