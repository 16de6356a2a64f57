# a batch is ordered by dependencies, whatever was typed
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
adds: [c]
depends: [b]
post_apply: [echo c >> order]
-- skills/c/add/c --
c
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
depends: [a]
post_apply: [echo b >> order]
-- skills/b/add/b --
b
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
post_apply: [echo a >> order, echo a2 >> order]
-- skills/a/add/a --
a
== run ==
$ nanoclaw -q skill apply c a b c
> a 1.0.0 applied
> b 1.0.0 applied
> c 1.0.0 applied
$ nanoclaw status
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
>   c 1.0.0
== after ==
-- a --
a
-- b --
b
-- c --
c
-- order --
a
a2
b
c
