# a file that another skill deleted is a question for the skill that changes it, with the right name
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: a}]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a]
-- skills/y/modify/a --
a
y
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw skill apply y
? 2
2> error: Skill 'x' deleted 'a', and skill 'y' changes it. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to restore it, with the skill's changes
$! nanoclaw --yes skill apply y
> y 1.0.0 applied
>   restored  a
== after ==
-- a --
a
y
