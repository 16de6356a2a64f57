# a skill for a newer skills system: exit 2, nothing touched
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
min_skills_system_version: 0.2.0
-- skills/a/add/a --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b]
min_skills_system_version: 0.1.0
-- skills/b/add/b --
b
== run ==
$ nanoclaw skill apply a b
? 2
2> error: skill 'a' needs skills system 0.2.0, and this is 0.1.0
2> hint: update NanoClaw first
$ nanoclaw --json skill apply a
? 2
> {
>   "error": "skill 'a' needs skills system 0.2.0, and this is 0.1.0",
>   "hint": "update NanoClaw first",
>   "success": false
> }
2> error: skill 'a' needs skills system 0.2.0, and this is 0.1.0
2> hint: update NanoClaw first
