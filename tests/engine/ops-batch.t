# operations on what earlier skills of the batch bring, and a failing test undoes them all
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n]
file_ops: [{type: rename, from: a, to: b}]
-- skills/x/add/n --
n
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
file_ops:
  - {type: rename, from: n, to: m}
  - {type: rename, from: a, to: c}
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
depends: [y]
modifies: [n, b]
test: "[ -e c ] && [ -e m ] && exit 1"
-- skills/z/modify/n --
n
z
-- skills/z/modify/b --
a
z
== run ==
$! nanoclaw skill apply x y z
? 5
2> error: the test of skill 'z' failed with exit code 1: [..]
2> hint: everything is as it was before
$ cat a; ls
> a
> VERSION
> a
> skills
$! nanoclaw skill apply x y z --no-test
> x 1.0.0 applied
>   renamed   a -> b
>   added     n
> y 1.0.0 applied
>   renamed   n -> m
>   renamed   b -> c
> z 1.0.0 applied
>   merged    m
>   merged    c
$ sed -n '/^path_remap/,$p' .nanoclaw/state.yaml
> path_remap:
>   a: c
>   b: c
>   "n": m
> skills_system_version: 0.1.0
== after ==
-- !a --
-- c --
a
z
-- m --
n
z
