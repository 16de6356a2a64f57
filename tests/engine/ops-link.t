# a symbolic link is renamed as it is, and deleted as it is
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- target --
t
-- one -> target --
-- two -> nowhere --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: one, to: sub/uno}
  - {type: delete, path: two}
== run ==
$! nanoclaw skill apply x
> x 1.0.0 applied
>   renamed   one -> sub/uno
>   deleted   two
== after ==
-- sub/uno -> target --
-- !one --
-- !two --
