# a symbolic link where a skill wants a file: exit 2, nothing touched
-- VERSION --
1.0.0
-- real.txt --
one
-- a.txt -> real.txt --
-- n.txt -> real.txt --
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/m/modify/a.txt --
ONE
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/n/add/n.txt --
ONE
== run ==
$ nanoclaw skill apply m
? 2
2> error: skill 'm' needs a file at 'a.txt', but a symbolic link is there
2> hint: move it away first
$ nanoclaw skill apply n --dry-run
? 2
2> error: skill 'n' needs a file at 'n.txt', but a symbolic link is there
2> hint: move it away first
