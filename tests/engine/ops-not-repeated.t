# an update does not repeat a rename that was done before, after a later skill has renamed the file on
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
>   as it is  s
$ nanoclaw status
> core 1.0.0
>   e 2.0.0
>   b 1.0.0
$ nanoclaw verify
> 10 files checked: all as recorded
== after ==
-- !a --
-- m --
a
