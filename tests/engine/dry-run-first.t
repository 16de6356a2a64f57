# the plan of a dry run is what then happens, without a base
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
-- b.txt --
b
-- c.txt --
c
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, deep/m.txt]
modifies: [a.txt, b.txt]
-- skills/x/add/n.txt --
n
-- skills/x/add/deep/m.txt --
m
-- skills/x/modify/a.txt --
1 X
2
3
4
5
-- skills/x/modify/b.txt --
b
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, n.txt, c.txt]
depends: [x]
-- skills/y/modify/a.txt --
1
2
3
4
5 Y
-- skills/y/modify/n.txt --
n Y
-- skills/y/modify/c.txt --
C
== run ==
$ nanoclaw --json skill apply y x --dry-run > ../plan
$ nanoclaw --json skill apply y x > ../done
$ grep -v dryRun ../plan | diff - ../done
== after ==
-- a.txt --
1 X
2
3
4
5 Y
-- c.txt --
C
-- deep/m.txt --
m
-- n.txt --
n Y
