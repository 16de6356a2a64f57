# a new version of a skill deletes one more file than the version before
unlisted: .nanoclaw skills
-- VERSION --
1.0.0
-- a.txt --
a
-- b.txt --
b
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: delete, path: a.txt}
== run ==
$ nanoclaw -q skill apply d
> d 1.0.0 applied
$ sed -i 's/^version: .*/version: 1.1.0/' skills/d/manifest.yaml; echo '  - {type: delete, path: b.txt}' >> skills/d/manifest.yaml
$ nanoclaw skill update
> d 1.1.0 (before: 1.0.0) applied
>   as it is  a.txt
>   deleted   b.txt
== after ==
-- !a.txt --
-- !b.txt --
