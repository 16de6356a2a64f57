# two skills rename a file to the same name: removing one leaves it to the other
unlisted: .nanoclaw
recover: nanoclaw status
-- VERSION --
1.0.0
-- a --
a
1
2
3
4
5
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b}]
-- skills/between/manifest.yaml --
skill: between
version: 1.0.0
core_version: 1.0.0
modifies: [a]
-- skills/between/modify/a --
a
1
2
3
4
5
between
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b}]
== run ==
$ nanoclaw -q skill apply x between y
> x 1.0.0 applied
> between 1.0.0 applied
> y 1.0.0 applied
$! nanoclaw --yes skill remove x
> x 1.0.0 removed
$ nanoclaw verify
> 7 files checked: all as recorded
$ nanoclaw replay
> 2 skills and 0 patches replayed: 2 files are as recorded
$ sed -i 's/^a$/a mine/' b
$ nanoclaw --yes -q customize start mine --on-drift record; nanoclaw -q customize abort
> your changes are recorded as 001-changes-to-b
$ nanoclaw diff --by b
> b
> 001-changes-to-b  1  a mine
> core              2  1
>                   3  2
>                   4  3
>                   5  4
>                   6  5
> between           7  between
>   5 core, 1 skill between, 1 patch 001-changes-to-b
$! nanoclaw --yes skill remove y
> y 1.0.0 removed
>   renamed   b -> a
$ nanoclaw verify
> 8 files checked: all as recorded
$! nanoclaw --yes skill remove between
> between 1.0.0 removed
>   merged    a
$ nanoclaw verify
> 7 files checked: all as recorded
== after ==
-- a --
a mine
1
2
3
4
5
