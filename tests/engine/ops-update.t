# updates follow a rename: files that the skill added and changed, under old and new names
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- c --
1
2
3
4
5
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n, g]
modifies: [c]
-- skills/x/add/n --
1
2
3
4
5
-- skills/x/add/g --
g
-- skills/x/modify/c --
1 x
2
3
4
5
-- skills/move/manifest.yaml --
skill: move
version: 1.0.0
core_version: 1.0.0
depends: [x]
file_ops:
  - {type: move, from: n, to: d/n}
  - {type: move, from: g, to: d/g}
  - {type: move, from: c, to: d/c}
-- two/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [n]
modifies: [c]
-- two/x/add/n --
1
2
3 two
4
5
-- two/x/modify/c --
1 x
2
3 two
4
5
-- three/x/manifest.yaml --
skill: x
version: 3.0.0
core_version: 1.0.0
modifies: [d/n]
-- three/x/modify/d/n --
1 three
2
3 two
4
5
-- moved/move/manifest.yaml --
skill: move
version: 2.0.0
core_version: 1.0.0
file_ops:
  - {type: move, from: n, to: e/n}
  - {type: move, from: c, to: d/c}
== run ==
$ nanoclaw -q skill apply x move
> x 1.0.0 applied
> move 1.0.0 applied
$ sed -i 's/^5$/5 mine/' d/n d/c
$! nanoclaw skill apply --on-drift continue two/x
> x 2.0.0 (before: 1.0.0) applied
>   merged    d/n
>   merged    d/c
>   removed   d/g
$ cat d/n d/c
> 1
> 2
> 3 two
> 4
> 5 mine
> 1 x
> 2
> 3 two
> 4
> 5 mine
$ nanoclaw skill apply --on-drift continue three/x
> x 3.0.0 (before: 2.0.0) applied
>   merged    d/n
>   merged    d/c
$ cat d/n d/c
> 1 three
> 2
> 3 two
> 4
> 5 mine
> 1
> 2
> 3
> 4
> 5 mine
$! nanoclaw skill apply --on-drift continue moved/move
> move 2.0.0 (before: 1.0.0) applied
>   renamed   d/n -> e/n
>   as it is  d/c
$ sed -n '/^path_remap/,$p' .nanoclaw/state.yaml
> path_remap:
>   c: d/c
>   d/n: e/n
>   g: d/g
>   "n": e/n
> skills_system_version: 0.1.0
== after ==
-- !c --
-- d/c --
1
2
3
4
5 mine
-- e/n --
1 three
2
3 two
4
5 mine
