# after an update of a skill that is not the last one, nothing has drifted
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
6
7
8
9
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
1 X
2
3
4
5
6
7
8
9
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
1
2
3
4
5
6
7
8
9 Y
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
modifies: [a.txt]
-- new/x/modify/a.txt --
1 X2
2
3
4
5
6
7
8
9
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$ nanoclaw -q skill apply new/x
> x 2.0.0 (before: 1.0.0) applied
$ nanoclaw status
> core 1.0.0
>   x 2.0.0
>   y 1.0.0
== after ==
-- a.txt --
1 X2
2
3
4
5
6
7
8
9 Y
