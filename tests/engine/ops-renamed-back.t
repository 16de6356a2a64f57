# a file that an update renames back, after a later skill had renamed it, is as recorded
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- skills/e/manifest.yaml --
skill: e
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: s}]
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: m}]
-- two/e/manifest.yaml --
skill: e
version: 2.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: s}]
== run ==
$ nanoclaw skill apply e b
> e 1.0.0 applied
>   renamed   a -> s
> b 1.0.0 applied
>   renamed   s -> m
$! nanoclaw skill apply two/e
> e 2.0.0 (before: 1.0.0) applied
>   renamed   m -> s
$ nanoclaw status
> core 1.0.0
>   e 2.0.0
>   b 1.0.0
$ nanoclaw verify
> 7 files checked: all as recorded
== after ==
-- !a --
-- s --
a
