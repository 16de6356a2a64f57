# changes by a failing test to the files of the skill are saved and undone
unlisted: .nanoclaw
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
adds: [n.txt]
modifies: [a.txt]
test: "echo edited > a.txt; rm n.txt; false"
-- skills/x/add/n.txt --
new
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init
$ nanoclaw skill apply x
? 5
2> warning: 'a.txt' was changed in the meantime; that version is in '.nanoclaw/kept/a.txt'
2> error: the test of skill 'x' failed with exit code 1: echo edited > a.txt; rm n.txt; false
2> hint: everything is as it was before
== after ==
-- .nanoclaw/kept/a.txt --
edited
