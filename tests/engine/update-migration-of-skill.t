# a migration that changes a file of a skill is applied on top of that skill
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
a
-- p/skills/s/manifest.yaml --
skill: s
version: 1.0.0
core_version: 1.0.0
adds: [s.txt]
-- p/skills/s/add/s.txt --
1
2
3
-- new/VERSION --
2.0.0
-- new/a.txt --
a 2
-- new/migrations.yaml --
- since: 2.0.0
  skill: keep@1.0.0
  description: "Keeps the third line"
-- new/skills/keep/manifest.yaml --
skill: keep
version: 1.0.0
core_version: 2.0.0
modifies: [s.txt]
-- new/skills/keep/SKILL.md --
# keep
-- new/skills/keep/modify/s.txt --
1
2
3 kept
== run ==
$ nanoclaw -C p -q skill apply s
> s 1.0.0 applied
$ nanoclaw -C p --yes update ../new
> Core updated: 1.0.0 → 2.0.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + keep@1.0.0 (Keeps the third line)
>
>   To accept new defaults: nanoclaw skill remove <name>
$ nanoclaw -C p status; nanoclaw -C p verify
> core 2.0.0
>   s 1.0.0
>   keep 1.0.0
> 9 files checked: all as recorded
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
a 2
-- p/s.txt --
1
2
3 kept
-- p/migrations.yaml --
- since: 2.0.0
  skill: keep@1.0.0
  description: "Keeps the third line"
-- p/skills/keep/manifest.yaml --
skill: keep
version: 1.0.0
core_version: 2.0.0
modifies: [s.txt]
-- p/skills/keep/SKILL.md --
# keep
-- p/skills/keep/modify/s.txt --
1
2
3 kept
