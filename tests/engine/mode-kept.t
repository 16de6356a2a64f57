# permissions of the user stay where the skill does not care
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- run [755] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, run]
-- skills/x/modify/a.txt --
ONE
-- skills/x/modify/run [755] --
ONE
== run ==
$ nanoclaw -q init
$ chmod 600 a.txt
$ chmod 700 run
$ nanoclaw -q skill apply x
> x 1.0.0 applied
== after ==
-- a.txt [600] --
ONE
-- run [700] --
ONE
