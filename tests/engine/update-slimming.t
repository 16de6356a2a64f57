# a feature that moves from the core to a skill: a new project does without it, an old one keeps it
unlisted: p/.nanoclaw new/.nanoclaw
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
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.7.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + keep-apple@1.0.0 (Preserves the apple runtime (default changed to docker in 0.6))
>     + wa@2.0.0 (Preserves wa (moved from core to skill in 0.7))
>
>   To accept new defaults: nanoclaw skill remove <name>
>   ✓ All tests passing
$ cat p/src/wa.txt
> wa 1
> wa 2
> wa 3
> wa 4
> wa 5
> wa 6 fixed
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p status
> core 0.7.0
>   keep-apple 1.0.0
>   wa 2.0.0
$ nanoclaw -C p -q --yes skill remove wa keep-apple
> wa 2.0.0 removed
> keep-apple 1.0.0 removed
$ diff -r -x .nanoclaw -x index p new
$ nanoclaw -C p verify
> 8 files checked: all as recorded
$ nanoclaw -C new -q init
$ nanoclaw -C new -q skill apply keep-apple wa
> keep-apple 1.0.0 applied
> wa 2.0.0 applied
$ nanoclaw -C p -q skill apply keep-apple wa
> keep-apple 1.0.0 applied
> wa 2.0.0 applied
$ diff -r -x .nanoclaw p new
== after ==
-- new/conf.txt --
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
-- new/main.txt --
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
-- new/src/wa.txt --
wa 1
wa 2
wa 3
wa 4
wa 5
wa 6 fixed
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
  skill: add-wa@2.0.0
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
