# a skill that repeats an earlier rename does nothing; a different rename starts from the current name
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b}]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b}]
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: c}]
-- skills/back/manifest.yaml --
skill: back
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: b, to: a}]
== run ==
$ nanoclaw skill apply x y
> x 1.0.0 applied
>   renamed   a -> b
> y 1.0.0 applied
>   as it is  b
$ nanoclaw skill apply z
> z 1.0.0 applied
>   renamed   b -> c
$ nanoclaw skill apply back
> back 1.0.0 applied
>   renamed   c -> a
$ sed -n '/^path_remap/,$p' .nanoclaw/state.yaml
> path_remap:
>   b: a
>   c: a
> skills_system_version: 0.1.0
