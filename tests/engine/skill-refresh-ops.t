# a package whose only stale part is a file operation follows the core's new name
unlisted: .nanoclaw
-- VERSION --
0.1.0
-- src/a.txt --
one
two
three
four
-- skills/x/SKILL.md --
# x
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
description: Takes a file away
core_version: 0.1.0
adds: [own.txt]
file_ops:
  - type: delete
    path: src/a.txt
-- skills/x/add/own.txt --
own
-- skills/y/SKILL.md --
# y
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
description: Takes away a file that the core will take away itself
core_version: 0.1.0
adds: [other.txt]
file_ops:
  - type: delete
    path: src/b.txt
-- skills/y/add/other.txt --
other
-- src/b.txt --
b
-- data/core-2/VERSION --
0.2.0
-- data/core-2/lib/a.txt --
one
two
three
four
== run ==
$ nanoclaw -q init
$ nanoclaw -q --yes update data/core-2 --no-test
> Core updated: 0.1.0 → 0.2.0
$ nanoclaw skill check --against .
> 2 packages checked: no faults
> against core 0.2.0:
>   x 1.0.0  renamed   src/a.txt -> lib/a.txt
>   y 1.0.0  dropped   src/b.txt
> 0 fit, 2 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh x y --against .
$! nanoclaw skill refresh --all
> x 1.0.0 refreshed for core 0.2.0
>   renamed   src/a.txt -> lib/a.txt
> y 1.0.0 refreshed for core 0.2.0
>   dropped   src/b.txt
$ nanoclaw skill refresh --all
> x 1.0.0: nothing to do, it fits core 0.2.0
> y 1.0.0: nothing to do, it fits core 0.2.0
== after ==
-- VERSION --
0.2.0
-- !src --
-- lib/a.txt --
one
two
three
four
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
description: Takes a file away
core_version: 0.2.0
adds: [own.txt]
file_ops:
  - type: delete
    path: lib/a.txt
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
description: Takes away a file that the core will take away itself
core_version: 0.2.0
adds: [other.txt]
file_ops: []
