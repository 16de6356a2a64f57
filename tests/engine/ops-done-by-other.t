# a new version does not do again what another skill had done when it was applied
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
core 1
core 2
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a.txt, to: b.txt}]
-- skills/second/manifest.yaml --
skill: second
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a.txt, to: b.txt}, {type: rename, from: b.txt, to: c.txt}]
== run ==
$ nanoclaw -q skill apply first second; ls *.txt
> first 1.0.0 applied
> second 1.0.0 applied
> c.txt
$ sed -i 's/^version: 1/version: 2/' skills/second/manifest.yaml; nanoclaw -q skill update second; ls *.txt
> second 2.0.0 (before: 1.0.0) applied
> c.txt
