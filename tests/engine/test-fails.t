# a failing test undoes everything and exits with 5
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [deep/er/n.txt]
test: "echo some output; cat deep/er/n.txt; exit 7"
-- skills/first/add/deep/er/n.txt --
new
-- skills/first/modify/a.txt --
ONE
== run ==
$! nanoclaw skill apply first
? 5
2> error: the test of skill 'first' failed with exit code 7: echo some output; cat deep/er/n.txt; exit 7
2> some output
2> new
2> hint: everything is as it was before
