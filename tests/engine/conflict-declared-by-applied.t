# a conflict that only the applied skill declares
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
conflicts: [b]
-- skills/a/add/a --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
-- skills/b/add/b --
b
== run ==
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$ mv skills/a ../a
$ nanoclaw skill apply b
? 2
2> error: skills 'b' and 'a' conflict, according to a
2> hint: apply only one of them, or both with '--allow-conflicts'
$ mv ../a skills/a
== after ==
-- a --
a
