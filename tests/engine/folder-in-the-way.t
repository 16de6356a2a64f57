# a folder where a file is needed: exit 2, nothing touched
-- VERSION --
1.0.0
-- src/n.txt/ --
-- src/a.txt/x --
x
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [src/n.txt]
-- skills/n/add/src/n.txt --
ONE
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/m/modify/src/a.txt --
ONE
== run ==
$ nanoclaw skill apply n
? 2
2> error: skill 'n' needs a file at 'src/n.txt', but a folder is there
2> hint: move it away first
$ nanoclaw skill apply m
? 2
2> error: skill 'm' needs a file at 'src/a.txt', but a folder is there
2> hint: move it away first
