# declared conflicts count in both directions, unless they are allowed
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
-- skills/a/add/a --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
conflicts: [a]
-- skills/b/add/b --
b
== run ==
$ nanoclaw skill apply a b
? 2
2> error: skills 'b' and 'a' conflict, according to b
2> hint: apply only one of them, or both with '--allow-conflicts'
$ test ! -e .nanoclaw
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$ nanoclaw skill apply b
? 2
2> error: skills 'b' and 'a' conflict, according to b
2> hint: apply only one of them, or both with '--allow-conflicts'
$ nanoclaw --json skill apply b
? 2
> {
>   "error": "skills 'b' and 'a' conflict, according to b",
>   "hint": "apply only one of them, or both with '--allow-conflicts'",
>   "success": false
> }
2> error: skills 'b' and 'a' conflict, according to b
2> hint: apply only one of them, or both with '--allow-conflicts'
$ nanoclaw skill apply b --allow-conflicts
> b 1.0.0 applied
>   added     b
== after ==
-- a --
a
-- b --
b
