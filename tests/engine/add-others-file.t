# a skill that adds a file that another one added: exit 2, nothing touched
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/y/add/n.txt --
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/z/add/n.txt --
x
== run ==
$ nanoclaw skill apply x y
? 2
2> error: skill 'y' adds 'n.txt', which skill 'x' has added
2> hint: everything is as it was before
$ test ! -e .nanoclaw
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw skill apply y
? 2
2> error: skill 'y' adds 'n.txt', which skill 'x' has added
2> hint: everything is as it was before
$ nanoclaw skill apply z
? 2
2> error: skill 'z' adds 'n.txt', which skill 'x' has added
2> hint: everything is as it was before
$ rm n.txt
$ nanoclaw skill apply --on-drift continue y
? 2
2> error: skill 'y' adds 'n.txt', which skill 'x' has added
2> hint: everything is as it was before
$ echo x > n.txt
== after ==
-- n.txt --
x
