# two skills rename the same file, and the first one is updated: each can be removed by itself
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a.txt, to: x.txt}
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a.txt, to: y.txt}
-- two/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a.txt, to: x.txt}
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$ cp two/manifest.yaml skills/x; nanoclaw -q skill update x; ls
> x 2.0.0 (before: 1.0.0) applied
> VERSION
> skills
> two
> y.txt
$! nanoclaw skill remove y
> y 1.0.0 removed
>   renamed   y.txt -> x.txt
$ nanoclaw verify; nanoclaw -q undo; nanoclaw skill remove x
> 8 files checked: all as recorded
> x 2.0.0 removed
$! nanoclaw skill remove y
> y 1.0.0 removed
>   renamed   y.txt -> a.txt
$ nanoclaw verify
> 6 files checked: all as recorded
== after ==
-- skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a.txt, to: x.txt}
