# an update whose file is of the core must not be added
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [a.txt]
-- new/x/add/a.txt --
ONE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw skill apply new/x
? 2
2> error: skill 'x' adds 'a.txt', which is a file of the core
2> hint: its author should list it under 'modifies'
== after ==
-- a.txt --
ONE
