# a conflict with what a migration makes of the new core pauses once, and the rest waits
unlisted: p/.nanoclaw
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
use wa 2
m 9
m 10
-- new/skills/late/manifest.yaml --
skill: late
version: 2.0.0
core_version: 0.7.0
adds: [late.txt]
-- new/skills/late/SKILL.md --
# late
-- new/skills/late/add/late.txt --
late 2
-- p/skills/late/manifest.yaml --
skill: late
version: 1.0.0
core_version: 0.5.0
adds: [late.txt]
-- p/skills/late/SKILL.md --
# late
-- p/skills/late/add/late.txt --
late
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply late
> late 1.0.0 applied
$ sed -i -e 's/^use wa$/use wa my way/' p/main.txt
$ sed -i -e 's/^c 5$/mine/' -e 's/^runtime = apple$/runtime = apple # mine/' p/conf.txt
$ nanoclaw -C p --yes update ../new
? 3
> your changes are recorded as 001-changes-to-conf-txt-and-1-more-file
> Update paused: 0.5.0 → 0.7.0
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-conf-txt-and-1-more-file
>
> To resolve:
>   main.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: the migration skill 'keep-apple' is left out: you had already changed what it would keep
$ cat p/main.txt p/conf.txt
> m 1 fixed
> m 2
> m 3
> m 4
> m 5
> m 6
> m 7
> <<<<<<< yours
> use wa my way
> ||||||| core 0.5.0
> use wa
> =======
> use wa 2
> >>>>>>> core 0.7.0
> m 9
> m 10
> c 1
> c 2
> c 3
> c 4
> runtime = apple # mine
> c 6
> c 7
> c 8
> c 9 fixed
> c 10
$ echo settled again > p/main.txt; echo use wa >> p/main.txt
$! nanoclaw -C p continue
> Core updated: 0.5.0 → 0.7.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + wa@2.0.0 (Preserves wa (moved from core to skill in 0.7))
>
>   Skill updates:
>     ✓ late 1.0.0 → 2.0.0
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-conf-txt-and-1-more-file
>
>   To accept new defaults: nanoclaw skill remove <name>
>   ✓ All tests passing
$ nanoclaw -C p verify
> 17 files checked: all as recorded
$ nanoclaw -C p status
> core 0.7.0
>   wa 2.0.0
>   late 2.0.0
>   001-changes-to-conf-txt-and-1-more-file (custom patch)
# All of it can be undone.
$ nanoclaw -C p undo --set-aside
> 'update core 0.7.0, wa, late' is undone
>   restored  VERSION
>   restored  conf.txt
>   restored  late.txt
>   restored  main.txt
>   restored  migrations.yaml
>   removed   skills/add-wa/SKILL.md
>   removed   skills/add-wa/add/src/wa.txt
>   removed   skills/add-wa/manifest.yaml
>   removed   skills/add-wa/modify/main.txt
>   removed   skills/keep-apple/SKILL.md
>   removed   skills/keep-apple/manifest.yaml
>   removed   skills/keep-apple/modify/conf.txt
>   restored  skills/late/add/late.txt
>   restored  skills/late/manifest.yaml
>   restored  src/wa.txt
2> warning: your version of 'main.txt' is kept in '.nanoclaw/kept/main.txt'
$ nanoclaw -C p status
> core 0.5.0
>   late 1.0.0
>
> your unrecorded changes:
>   edited    conf.txt
>   edited    main.txt
== after ==
-- p/conf.txt --
c 1
c 2
c 3
c 4
runtime = apple # mine
c 6
c 7
c 8
c 9
c 10
-- p/late.txt --
late
-- p/main.txt --
m 1
m 2
m 3
m 4
m 5
m 6
m 7
use wa my way
m 9
m 10
