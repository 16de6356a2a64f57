# a file that the user replaced by a link is not written through
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- real.txt --
one
-- a.txt --
one
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/m/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init
$ ln -sf real.txt a.txt
$ nanoclaw skill apply --on-drift continue m
? 2
2> error: skill 'm' needs a file at 'a.txt', but a symbolic link is there
2> hint: move it away first
$ nanoclaw --yes skill apply m
? 2
2> error: skill 'm' needs a file at 'a.txt', but a symbolic link is there
2> hint: move it away first
== after ==
-- a.txt -> real.txt --
