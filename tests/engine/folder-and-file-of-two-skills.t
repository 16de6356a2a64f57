# one skill's file where another one's folder is: exit 2, nothing touched
-- VERSION --
1.0.0
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [x]
-- skills/n/add/x --
ONE
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
adds: [x/y]
-- skills/m/add/x/y --
ONE
== run ==
$ nanoclaw skill apply n m --dry-run
? 2
2> error: 'x' cannot be a file and a folder at once
$ nanoclaw skill apply n m
? 2
2> error: 'x' cannot be a file and a folder at once
2> hint: everything is as it was before
$ nanoclaw skill apply m n
? 2
2> error: 'x' cannot be a file and a folder at once
2> hint: everything is as it was before
