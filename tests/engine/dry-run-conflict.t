# the plan of a dry run is what then happens, with conflicts and a batch
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
$ nanoclaw -q init
$ echo mine > n.txt; echo mine > c.txt
$ nanoclaw skill apply --on-drift continue y x --dry-run | grep '^  ' | tee ../plan
>   CONFLICT  n.txt
>   added     deep/m.txt
>   merged    a.txt
>   as it is  b.txt
$ nanoclaw skill apply --on-drift continue y x | sed '/^$/,$d' | grep '^  ' > ../done
$ diff ../plan ../done
== after ==
-- a.txt --
1 X
2
3
4
5
-- c.txt --
mine
-- deep/m.txt --
m
-- n.txt --
<<<<<<< yours
mine
||||||| nothing
=======
n
>>>>>>> x 1.0.0
