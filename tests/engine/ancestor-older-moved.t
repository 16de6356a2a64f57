# a line that an older skill has elsewhere is at risk too, and named
-- VERSION --
2.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
three
one
two
== run ==
$ nanoclaw skill apply x
? 2
2> error: x 1.0.0 was written for core 1.0.0, this is 2.0.0, and the file that it changed is no longer known: it would remove lines from 'a.txt' that may have been added since:
2>     three
2> hint: get a newer version of the skill, or accept it with '--ancestor base'
