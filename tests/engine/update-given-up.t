# a migration does not bring back what a person has deleted
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/conf.txt --
c 1
c 2
c 3
c 4
old
c 6
c 7
c 8
c 9
c 10
-- p/wa.txt --
wa
-- new/conf.txt --
c 1
c 2
c 3
c 4
new
c 6
c 7
c 8
c 9
c 10
-- new/migrations.yaml --
- since: 0.6.0
  skill: keep
-- new/skills/keep/manifest.yaml --
skill: keep
version: 1.0.0
core_version: 0.6.0
adds: [wa.txt]
modifies: [conf.txt]
-- new/skills/keep/SKILL.md --
# keep
-- new/skills/keep/add/wa.txt --
wa
-- new/skills/keep/modify/conf.txt --
c 1
c 2
c 3
c 4
old
c 6
c 7
c 8
c 9
c 10
== run ==
$ nanoclaw -C p -q init
$ rm p/conf.txt p/wa.txt
$! nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-conf-txt-and-1-more-file
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + keep@1.0.0
>
>   To accept new defaults: nanoclaw skill remove <name>
$ ls p
> VERSION
> migrations.yaml
> skills
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   keep 1.0.0
>   001-changes-to-conf-txt-and-1-more-file (custom patch)
$ nanoclaw -C p -q --yes skill remove keep
> keep 1.0.0 removed
$ ls p
> VERSION
> migrations.yaml
> skills
$ nanoclaw -C p verify
> 10 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/migrations.yaml --
- since: 0.6.0
  skill: keep
-- p/skills/keep/SKILL.md --
# keep
-- p/skills/keep/add/wa.txt --
wa
-- p/skills/keep/manifest.yaml --
skill: keep
version: 1.0.0
core_version: 0.6.0
adds: [wa.txt]
modifies: [conf.txt]
-- p/skills/keep/modify/conf.txt --
c 1
c 2
c 3
c 4
old
c 6
c 7
c 8
c 9
c 10
-- !p/conf.txt --
-- !p/wa.txt --
