# a skill that adds a file of the core: exit 2, nothing touched
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [a.txt]
-- skills/x/add/a.txt --
ONE
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [b.txt]
-- skills/y/add/b.txt --
b
== run ==
$ nanoclaw skill apply x
? 2
2> error: skill 'x' adds 'a.txt', which is a file of the core
2> hint: its author should list it under 'modifies'
$ nanoclaw skill apply y
? 2
2> error: skill 'y' adds 'b.txt', which is a file of the core
2> hint: if the skill was made from it: save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'
