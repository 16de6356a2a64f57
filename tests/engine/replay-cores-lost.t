# without the earlier cores, a replay merges a skill with the file that it was merged with then
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
1
2
3
4
5
6
7
8
9
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
1
2
3
4
5
6
7
8
9 x
-- new/VERSION --
2.0.0
-- new/a.txt --
1 core
2
3
4
5
6
7
8
9
== run ==
$ nanoclaw -C p -q skill apply x; nanoclaw -C p -q --yes update ../new; rm -r p/.nanoclaw/cores
> x 1.0.0 applied
> Core updated: 1.0.0 → 2.0.0
$ nanoclaw -C p replay; nanoclaw -C p verify
> 1 skill and 0 patches replayed: 1 file is as recorded
> 5 files checked: all as recorded
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
1 core
2
3
4
5
6
7
8
9 x
