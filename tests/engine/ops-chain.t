# renames in one manifest build on each other, and nothing of the steps between is left
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
1
-- z --
z
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a, to: one/b}
  - {type: move, from: one/b, to: two/c}
  - {type: delete, path: z}
  - {type: rename, from: two/c, to: d}
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a]
-- skills/y/modify/a --
1
y
-- skills/w/manifest.yaml --
skill: w
version: 1.0.0
core_version: 1.0.0
modifies: [two/c]
-- skills/w/modify/two/c --
w
1
== run ==
$! nanoclaw skill apply x
> x 1.0.0 applied
>   renamed   a -> one/b
>   renamed   one/b -> two/c
>   deleted   z
>   renamed   two/c -> d
$ sed -n '/^path_remap/,$p' .nanoclaw/state.yaml
> path_remap:
>   a: d
>   one/b: d
>   two/c: d
> skills_system_version: 0.1.0
$! nanoclaw skill apply y
> y 1.0.0 applied
>   merged    d
$ nanoclaw skill apply w
> w 1.0.0 applied
>   merged    d
$ cat d
> w
> 1
> y
== after ==
-- !a --
-- !z --
-- d --
w
1
y
