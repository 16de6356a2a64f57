# migrations come in the order of their versions, wherever they stand
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/VERSION --
0.8.0
-- new/a.txt --
a 1
a 2
a 3 docker
a 4
a 5
a 6
a 7
a 8
a 9
a 10 new
a 11
a 12
-- new/migrations.yaml --
- since: 0.8.0
  skill: late
- since: 0.6.0
  skill: early
- since: 0.8.0
  skill: last
-- new/skills/late/manifest.yaml --
skill: late
version: 1.0.0
core_version: 0.8.0
depends: [early]
modifies: [a.txt]
-- new/skills/late/modify/a.txt --
a 1
a 2
a 3 docker
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/skills/early/manifest.yaml --
skill: early
version: 1.0.0
core_version: 0.8.0
modifies: [a.txt]
-- new/skills/early/modify/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10 new
a 11
a 12
-- new/skills/last/manifest.yaml --
skill: last
version: 1.0.0
core_version: 0.8.0
adds: [last.txt]
-- new/skills/last/add/last.txt --
last
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.8.0
>   ✓ All patches applied
>
>   Preserving your current setup:
>     + early@1.0.0
>     + late@1.0.0
>     + last@1.0.0
>
>   To accept new defaults: nanoclaw skill remove <name>
$ nanoclaw -C p status
> core 0.8.0
>   early 1.0.0
>   late 1.0.0
>   last 1.0.0
$ nanoclaw -C p verify
> 10 files checked: all as recorded
