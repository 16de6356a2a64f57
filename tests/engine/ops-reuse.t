# the old name may get a new file, which is its own from then on; but no other file is renamed to it
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
core
-- other --
o
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [a]
file_ops: [{type: rename, from: a, to: b}]
-- skills/x/add/a --
new
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
modifies: [a, b]
-- skills/y/modify/a --
new
y
-- skills/y/modify/b --
core
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: c}]
-- skills/w/manifest.yaml --
skill: w
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: other, to: a}]
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   renamed   a -> b
>   added     a
$ nanoclaw skill apply y
> y 1.0.0 applied
>   merged    a
>   merged    b
# The base still has the file of the core under that name.
$ nanoclaw verify
> 9 files checked: all as recorded
$ rm .nanoclaw/base.sha256; nanoclaw verify
> 8 files checked: all as recorded
$ nanoclaw skill apply z
> z 1.0.0 applied
>   renamed   b -> c
$ rm a
$ nanoclaw skill apply --on-drift continue w
? 2
2> error: skill 'w' renames 'other' to 'a', which is the old name of 'c'
2> hint: for skills that change 'a', the name would be ambiguous; its author should choose another name
== after ==
-- !a --
-- c --
core
y
