# skills that depend on each other: exit 2, nothing touched
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
depends: [b]
-- skills/a/add/a --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
depends: [a]
-- skills/b/add/b --
b
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
adds: [c]
depends: [a]
-- skills/c/add/c --
c
== run ==
$ nanoclaw skill apply a b
? 2
2> error: skill 'a' depends on itself, through others
$ nanoclaw skill apply c b a
? 2
2> error: skill 'a' depends on itself, through others
