# a remap that an update of the core left is followed, through chains; packages stay as they are
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/app --
1
2
3
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [src/server]
-- skills/x/modify/src/server --
1
2
3
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: src/first, to: src/last}]
== run ==
$ nanoclaw -q init
$ printf 'path_remap: {src/first: src/server, src/server: src/app}\n' >> .nanoclaw/state.yaml
$! nanoclaw skill apply x
> x 1.0.0 applied
>   merged    src/app
$ nanoclaw skill apply y
> y 1.0.0 applied
>   renamed   src/app -> src/last
$ sed -n '/^path_remap/,$p' .nanoclaw/state.yaml
> path_remap:
>   src/app: src/last
>   src/first: src/server
>   src/server: src/last
> skills_system_version: 0.1.0
== after ==
-- !src/app --
-- src/last --
1
2
3
x
