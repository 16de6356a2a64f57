# a folder on the way that is a link: exit 2, nothing touched
-- VERSION --
1.0.0
-- real/a.txt --
one
-- src -> real --
-- out -> /tmp --
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/m/modify/src/a.txt --
ONE
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [out/n.txt]
-- skills/n/add/out/n.txt --
ONE
== run ==
$ nanoclaw skill apply m
? 2
2> error: cannot access 'src/a.txt': a symbolic link is in the way
$ nanoclaw skill apply n
? 2
2> error: cannot access 'out/n.txt': a symbolic link is in the way
