# a dependency that is neither applied nor in the batch: exit 2, nothing touched
-- VERSION --
1.0.0
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
adds: [c]
depends: [b]
-- skills/c/add/c --
c
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
-- skills/b/add/b --
b
== run ==
$ nanoclaw skill apply c
? 2
2> error: skill 'c' depends on 'b', which is not applied
2> hint: nanoclaw skill apply b c
$ nanoclaw --json skill apply c
? 2
> {
>   "error": "skill 'c' depends on 'b', which is not applied",
>   "hint": "nanoclaw skill apply b c",
>   "success": false
> }
2> error: skill 'c' depends on 'b', which is not applied
2> hint: nanoclaw skill apply b c
