# a migration skill that is missing, or older than the one that is named, is refused
unlisted: p/.nanoclaw
ignore: before new newer
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.7.0
-- p/conf.txt --
c 1
c 2
c 3
c 4
runtime = apple
c 6
c 7
c 8
c 9
c 10
-- p/main.txt --
m 1
m 2
m 3
m 4
m 5
m 6
m 7
use wa
m 9
m 10
-- p/src/wa.txt --
wa 1
wa 2
wa 3
wa 4
wa 5
wa 6
-- p/migrations.yaml --
[]
-- new/conf.txt --
c 1
c 2
c 3
c 4
runtime = docker
c 6
c 7
c 8
c 9 fixed
c 10
-- new/main.txt --
m 1 fixed
m 2
m 3
m 4
m 5
m 6
m 7
m 8
m 9
m 10
-- new/migrations.yaml --
- since: 0.6.0
  skill: keep-apple@1.0.0
  description: "Preserves the apple runtime (default changed to docker in 0.6)"
- since: 0.7.0
  skill: add-wa@2.0.0
  description: "Preserves wa (moved from core to skill in 0.7)"
-- new/skills/keep-apple/manifest.yaml --
skill: keep-apple
version: 1.0.0
core_version: 0.7.0
modifies: [conf.txt]
test: grep -q apple conf.txt
-- new/skills/keep-apple/SKILL.md --
# keep-apple
-- new/skills/keep-apple/modify/conf.txt --
c 1
c 2
c 3
c 4
runtime = apple
c 6
c 7
c 8
c 9 fixed
c 10
-- new/skills/add-wa/manifest.yaml --
skill: wa
version: 2.0.0
core_version: 0.7.0
adds: [src/wa.txt]
modifies: [main.txt]
test: grep -q wa main.txt && test -f src/wa.txt
-- new/skills/add-wa/SKILL.md --
# wa
-- new/skills/add-wa/add/src/wa.txt --
wa 1
wa 2
wa 3
wa 4
wa 5
wa 6 fixed
-- new/skills/add-wa/modify/main.txt --
m 1 fixed
m 2
m 3
m 4
m 5
m 6
m 7
use wa
m 9
m 10
== run ==
$ nanoclaw -C p -q init
$ cp -r p before
$ sed -i s/@2.0.0/@3.0.0/ new/migrations.yaml
$ nanoclaw -C p --yes update ../new
? 2
2> error: migrations.yaml of the new core names add-wa 3.0.0, and the package 'skills/add-wa' is the older 2.0.0
2> hint: everything is as it was before
$ sed -i s/add-wa@3.0.0/add-nothing/ new/migrations.yaml
$ nanoclaw -C p --yes update ../new
? 2
2> error: migrations.yaml of the new core names the skill 'add-nothing' (since 0.7.0), and there is no such package
2> hint: it should be in '.claude/skills' or 'skills' of the new core or of the project
$ nanoclaw -C p update ../new --preview
? 2
2> error: migrations.yaml of the new core names the skill 'add-nothing' (since 0.7.0), and there is no such package
2> hint: it should be in '.claude/skills' or 'skills' of the new core or of the project
$ sed -i s/add-nothing/add-wa/ new/migrations.yaml
$ nanoclaw -C p -q --yes update ../new
> Core updated: 0.5.0 → 0.7.0
# The list only ever grows.
$ cp -r new newer
$ echo 0.8.0 > newer/VERSION
$ sed -i 's/0.6.0/0.6.1/' newer/migrations.yaml
$ nanoclaw -C p --yes update ../newer
? 2
2> error: ../newer/migrations.yaml:1:3: the migration 'keep-apple' since 0.6.0 was changed or moved
2> hint: entries are only ever added to migrations.yaml
== after ==
-- p/VERSION --
0.7.0
-- p/conf.txt --
c 1
c 2
c 3
c 4
runtime = apple
c 6
c 7
c 8
c 9 fixed
c 10
-- p/main.txt --
m 1 fixed
m 2
m 3
m 4
m 5
m 6
m 7
use wa
m 9
m 10
-- p/migrations.yaml --
- since: 0.6.0
  skill: keep-apple@1.0.0
  description: "Preserves the apple runtime (default changed to docker in 0.6)"
- since: 0.7.0
  skill: add-wa
  description: "Preserves wa (moved from core to skill in 0.7)"
-- p/skills/add-wa/SKILL.md --
# wa
-- p/skills/add-wa/add/src/wa.txt --
wa 1
wa 2
wa 3
wa 4
wa 5
wa 6 fixed
-- p/skills/add-wa/manifest.yaml --
skill: wa
version: 2.0.0
core_version: 0.7.0
adds: [src/wa.txt]
modifies: [main.txt]
test: grep -q wa main.txt && test -f src/wa.txt
-- p/skills/add-wa/modify/main.txt --
m 1 fixed
m 2
m 3
m 4
m 5
m 6
m 7
use wa
m 9
m 10
-- p/skills/keep-apple/SKILL.md --
# keep-apple
-- p/skills/keep-apple/manifest.yaml --
skill: keep-apple
version: 1.0.0
core_version: 0.7.0
modifies: [conf.txt]
test: grep -q apple conf.txt
-- p/skills/keep-apple/modify/conf.txt --
c 1
c 2
c 3
c 4
runtime = apple
c 6
c 7
c 8
c 9 fixed
c 10
-- p/src/wa.txt --
wa 1
wa 2
wa 3
wa 4
wa 5
wa 6 fixed
