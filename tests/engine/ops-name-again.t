# a new version brings a file back to a name that a skill above it gave it in between
# ending: the removal of low is refused, since renames of two skills and a patch cross in one file
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
core 1
core 2
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/low/add/n.txt --
n
-- skills/top/manifest.yaml --
skill: top
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a.txt, to: b.txt}, {type: rename, from: b.txt, to: c.txt}]
== run ==
$ nanoclaw -q skill apply low top; nanoclaw -q customize start mine --skill low; mv c.txt d.txt; nanoclaw -q customize commit
> low 1.0.0 applied
> top 1.0.0 applied
> recorded as low-mine
$ sed -i 's/^version: 1/version: 2/' skills/low/manifest.yaml; echo 'file_ops: [{type: rename, from: a.txt, to: b.txt}]' >>skills/low/manifest.yaml
$ nanoclaw -q skill update low; ls *.txt; nanoclaw status
> low 2.0.0 (before: 1.0.0) applied
> b.txt
> n.txt
> core 1.0.0
>   low 2.0.0
>   top 1.0.0
>   low-mine (custom patch)
