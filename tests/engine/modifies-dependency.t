# a file that a dependency added is merged with that package's file as the ancestor
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [a.txt]
-- skills/x/add/a.txt --
1
2
3
4
5
6
7
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
depends: [x]
-- skills/y/modify/a.txt --
1
2
3
4
5
6
7 Y
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ sed -i 's/^1$/1 mine/' a.txt
$! nanoclaw -q skill apply --on-drift continue y
> y 1.0.0 applied
== after ==
-- a.txt --
1 mine
2
3
4
5
6
7 Y
