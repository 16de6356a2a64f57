# commands run in order, before the tests, in the root of the project
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
post_apply: ["cat n.txt > log", "pwd | sed s,.*/,, >> log"]
test: "grep -q tree log"
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   added     n.txt
> 1 test passed
== after ==
-- log --
new
tree
-- n.txt --
new
