# migration skills keep what the core has changed or given up, and removing one accepts the new default
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
use wa
m 9
m 10
-- p/skills/tel/manifest.yaml --
skill: tel
version: 1.0.0
core_version: 0.5.0
modifies: [main.txt, src/wa.txt]
-- p/skills/tel/SKILL.md --
# tel
-- p/skills/tel/modify/main.txt --
m 1
m 2
m 3
m 4 tel
m 5
m 6
m 7
use wa
m 9
m 10
-- p/skills/tel/modify/src/wa.txt --
wa 1
wa 2
wa 3
wa 4 tel
wa 5
wa 6
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply tel
> tel 1.0.0 applied
$ sed -i 's/^c 2$/c 2 mine/' p/conf.txt
$ sed -i 's/^wa 2$/wa 2 mine/' p/src/wa.txt
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.7.0
>
>   Source:  4 files modified (VERSION, conf.txt, main.txt, src/wa.txt)
>   Skills:  2 new skills added
>   Config:  1 file modified (migrations.yaml)
>
>   Migrations (auto-applied to preserve your setup):
>     + keep-apple@1.0.0 (Preserves the apple runtime (default changed to docker in 0.6))
>     + wa@2.0.0 (Preserves wa (moved from core to skill in 0.7))
>
>   Custom patches in files that change:
>     001-changes-to-conf-txt-and-1-more-file
>
> would run the test of keep-apple: grep -q apple conf.txt
> would run the test of wa: grep -q wa main.txt && test -f src/wa.txt
>
>   Your unrecorded changes would be recorded as 001-changes-to-conf-txt-and-1-more-file.
$! nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-conf-txt-and-1-more-file
> Core updated: 0.5.0 → 0.7.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + keep-apple@1.0.0 (Preserves the apple runtime (default changed to docker in 0.6))
>     + wa@2.0.0 (Preserves wa (moved from core to skill in 0.7))
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-conf-txt-and-1-more-file
>
>   To accept new defaults: nanoclaw skill remove <name>
>   ✓ All tests passing
$ cat p/conf.txt p/main.txt p/src/wa.txt
> c 1
> c 2 mine
> c 3
> c 4
> runtime = apple
> c 6
> c 7
> c 8
> c 9 fixed
> c 10
> m 1 fixed
> m 2
> m 3
> m 4 tel
> m 5
> m 6
> m 7
> use wa
> m 9
> m 10
> wa 1
> wa 2 mine
> wa 3
> wa 4 tel
> wa 5
> wa 6 fixed
$ nanoclaw -C p verify
> 17 files checked: all as recorded
$ nanoclaw -C p status
> core 0.7.0
>   keep-apple 1.0.0
>   wa 2.0.0
>   tel 1.0.0
>   001-changes-to-conf-txt-and-1-more-file (custom patch)
$ ls p/skills
> add-wa
> keep-apple
> tel
$ nanoclaw -C p diff --by src/wa.txt
> src/wa.txt
> wa                                       1  wa 1
> 001-changes-to-conf-txt-and-1-more-file  2  wa 2 mine
> wa                                       3  wa 3
> tel                                      4  wa 4 tel
> wa                                       5  wa 5
>                                          6  wa 6 fixed
>   4 skill wa, 1 skill tel, 1 patch 001-changes-to-conf-txt-and-1-more-file
# Dependent skills and the person's changes are not lost.
$ nanoclaw -C p skill remove wa
? 2
2> error: 'tel' builds on 'wa'
2> hint: '--with-dependents' removes it, too
$ nanoclaw -C p --yes skill remove tel
> tel 1.0.0 removed
>   merged    main.txt
>   merged    src/wa.txt
> 2 tests passed
$ cat p/main.txt p/src/wa.txt
> m 1 fixed
> m 2
> m 3
> m 4
> m 5
> m 6
> m 7
> use wa
> m 9
> m 10
> wa 1
> wa 2 mine
> wa 3
> wa 4
> wa 5
> wa 6 fixed
$ nanoclaw -C p verify
> 16 files checked: all as recorded
$ nanoclaw -C p --yes skill remove keep-apple
> keep-apple 1.0.0 removed
>   merged    conf.txt
> 1 test passed
$ cat p/conf.txt
> c 1
> c 2 mine
> c 3
> c 4
> runtime = docker
> c 6
> c 7
> c 8
> c 9 fixed
> c 10
$ nanoclaw -C p --yes skill remove wa
? 3
> wa 2.0.0 paused
>   merged    main.txt
>   DECISION  src/wa.txt
>
> To resolve:
>   src/wa.txt: wa deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm p/src/wa.txt
$ nanoclaw -C p -q continue
> wa 2.0.0 removed
$ nanoclaw -C p verify
> 14 files checked: all as recorded
# Applied and older migrations are skipped.
$ nanoclaw -C p --yes update ../new
> nothing to do: the core is already 0.7.0
== after ==
-- p/VERSION --
0.7.0
-- p/conf.txt --
c 1
c 2 mine
c 3
c 4
runtime = docker
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
m 8
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
-- !p/src/wa.txt --
