# a migration keeps what was not chosen otherwise before
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/conf.txt --
c 1
old 2
c 3
c 4
old 5
c 6
c 7
c 8
c 9
c 10
-- new/conf.txt --
c 1
new 2
c 3
c 4
new 5
c 6
c 7
c 8
c 9
c 10
-- new/migrations.yaml --
- since: 0.6.0
  skill: keep-both
-- new/skills/keep-both/manifest.yaml --
skill: keep-both
version: 1.0.0
core_version: 0.6.0
modifies: [conf.txt]
-- new/skills/keep-both/SKILL.md --
# keep-both
-- new/skills/keep-both/modify/conf.txt --
c 1
old 2
c 3
c 4
old 5
c 6
c 7
c 8
c 9
c 10
== run ==
$ nanoclaw -C p -q init
$ sed -i 's/old 2/new 2/' p/conf.txt
$! nanoclaw -C p --yes update ../new
> your changes are recorded as 001-changes-to-conf-txt
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + keep-both@1.0.0
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-conf-txt
>
>   To accept new defaults: nanoclaw skill remove <name>
$ cat p/conf.txt
> c 1
> new 2
> c 3
> c 4
> old 5
> c 6
> c 7
> c 8
> c 9
> c 10
$ nanoclaw -C p verify
> 10 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   keep-both 1.0.0
>   001-changes-to-conf-txt (custom patch)
$ nanoclaw -C p diff --by conf.txt
> conf.txt
> core        1  c 1
>             2  new 2
>             3  c 3
>             4  c 4
> keep-both   5  old 5
> core        6  c 6
>             7  c 7
>             8  c 8
>             9  c 9
>            10  c 10
>   9 core, 1 skill keep-both
$ nanoclaw -C p -q --yes skill remove keep-both
> keep-both 1.0.0 removed
$ cat p/conf.txt
> c 1
> new 2
> c 3
> c 4
> new 5
> c 6
> c 7
> c 8
> c 9
> c 10
$ nanoclaw -C p verify
> 9 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/conf.txt --
c 1
new 2
c 3
c 4
new 5
c 6
c 7
c 8
c 9
c 10
-- p/migrations.yaml --
- since: 0.6.0
  skill: keep-both
-- p/skills/keep-both/SKILL.md --
# keep-both
-- p/skills/keep-both/manifest.yaml --
skill: keep-both
version: 1.0.0
core_version: 0.6.0
modifies: [conf.txt]
-- p/skills/keep-both/modify/conf.txt --
c 1
old 2
c 3
c 4
old 5
c 6
c 7
c 8
c 9
c 10
