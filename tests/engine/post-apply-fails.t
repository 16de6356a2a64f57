# a failing command: exit 1 and everything restored
-- VERSION --
1.0.0
-- a.txt [600] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [deep/n.txt]
modifies: [a.txt]
post_apply: ["true", "echo oh; false", "touch never"]
test: touch never
-- skills/x/add/deep/n.txt --
new
-- skills/x/modify/a.txt --
ONE
== run ==
$! nanoclaw skill apply x
? 1
2> error: a command of skill 'x' failed with exit code 1: echo oh; false
2> oh
2> hint: everything is as it was before
$ nanoclaw --json skill apply x
? 1
> {
>   "error": "a command of skill 'x' failed with exit code 1: echo oh; false\noh",
>   "hint": "everything is as it was before",
>   "success": false
> }
2> error: a command of skill 'x' failed with exit code 1: echo oh; false
2> oh
2> hint: everything is as it was before
