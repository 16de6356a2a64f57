# a person who chose the new default before the core did keeps it, and the migration is skipped
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
runtime = apple
c 6
c 7
c 8
c 9
c 10
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
-- new/migrations.yaml --
- since: 0.6.0
  skill: keep-apple
-- new/skills/keep-apple/manifest.yaml --
skill: keep-apple
version: 1.0.0
core_version: 0.6.0
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
== run ==
$ nanoclaw -C p -q init
$ sed -i 's/apple/docker/' p/conf.txt
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  2 files modified (VERSION, conf.txt)
>   Skills:  1 new skill added
>   Config:  1 file added (migrations.yaml)
>
>   Custom patches in files that change:
>     001-changes-to-conf-txt
>
>   Your unrecorded changes would be recorded as 001-changes-to-conf-txt.
2> warning: the migration skill 'keep-apple' is left out: you had already changed what it would keep
$! nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-conf-txt
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-conf-txt
2> warning: the migration skill 'keep-apple' is left out: you had already changed what it would keep
$ cat p/conf.txt
> c 1
> c 2
> c 3
> c 4
> runtime = docker
> c 6
> c 7
> c 8
> c 9 fixed
> c 10
$ nanoclaw -C p verify
> 9 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   001-changes-to-conf-txt (custom patch)
# Recorded or not.
$ nanoclaw -C p -q undo
$ nanoclaw -C p --yes update ../new --on-drift continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
2> warning: the migration skill 'keep-apple' is left out: you had already changed what it would keep
$ cat p/conf.txt
> c 1
> c 2
> c 3
> c 4
> runtime = docker
> c 6
> c 7
> c 8
> c 9 fixed
> c 10
$ nanoclaw -C p status
> core 0.6.0
== after ==
-- p/VERSION --
0.6.0
-- p/conf.txt --
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
-- p/migrations.yaml --
- since: 0.6.0
  skill: keep-apple
-- p/skills/keep-apple/SKILL.md --
# keep-apple
-- p/skills/keep-apple/manifest.yaml --
skill: keep-apple
version: 1.0.0
core_version: 0.6.0
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
