# structured changes are refused, as long as they cannot be done
-- VERSION --
1.0.0
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
structured: {env_additions: [B]}
-- skills/b/add/b --
b
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
adds: [c]
structured: {npm_dependencies: {}, env_additions: []}
-- skills/c/add/c --
c
== run ==
$ nanoclaw skill apply c b
? 2
2> error: skill 'b' declares 'structured', which this version cannot apply
$ nanoclaw skill apply c --dry-run
> c 1.0.0 would be applied
>   added     c
