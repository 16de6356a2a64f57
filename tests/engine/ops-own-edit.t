# the user's edits to a renamed file show as unrecorded at the new path, and nothing else does
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- b --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a, to: a2}
  - {type: rename, from: b, to: b2}
== run ==
$ nanoclaw -q init
$ echo mine >> a
$ nanoclaw skill apply --on-drift continue x
> x 1.0.0 applied
>   renamed   a -> a2
>   renamed   b -> b2
$ sha256sum b2 | cut -c 1-64; grep 2: .nanoclaw/state.yaml
> 0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f
>       a2: 87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7
>       b2: 0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f
$ printf 'a\n' | sha256sum | cut -c 1-64
> 87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7
== after ==
-- !a --
-- !b --
-- a2 --
a
mine
-- b2 --
b
