# a deleted file that another skill restored also exists for the next version
unlisted: .nanoclaw
ignore: skills
-- VERSION --
1.0.0
-- a.txt --
1
2
3
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/low/modify/a.txt --
low
2
3
-- skills/top/manifest.yaml --
skill: top
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
file_ops: [{type: delete, path: a.txt}]
-- skills/top/add/n.txt --
top
== run ==
$ nanoclaw -q skill apply low
> low 1.0.0 applied
$ nanoclaw -q skill apply top >/dev/null; rm a.txt; nanoclaw -q continue
> top 1.0.0 applied
$ sed -i 's/^version: 1/version: 2/' skills/*/manifest.yaml; sed -i 's/low/low 2/' skills/low/modify/a.txt
$ nanoclaw -q --yes skill update low; nanoclaw status
> low 2.0.0 (before: 1.0.0) applied
> core 1.0.0
>   low 2.0.0
>   top 1.0.0
$ nanoclaw -q --yes skill update top; cat a.txt; nanoclaw status
> top 2.0.0 (before: 1.0.0) applied
> low 2
> 2
> 3
> core 1.0.0
>   low 2.0.0
>   top 2.0.0
== after ==
-- a.txt --
low 2
2
3
-- n.txt --
top
