# a patch has written its lines also when the skill below it renames the file later
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
core 1
core 2
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
x 1
core 1
core 2
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q customize start mine; echo mine >>a.txt; nanoclaw -q customize commit
> x 1.0.0 applied
> recorded as 001-mine
$ sed -i 's/^version: 1/version: 2/; s/\[a.txt\]/[b.txt]/' skills/x/manifest.yaml; mv skills/x/modify/a.txt skills/x/modify/b.txt
$ echo 'file_ops: [{type: rename, from: a.txt, to: b.txt}]' >>skills/x/manifest.yaml
$ nanoclaw -q skill update x
> x 2.0.0 (before: 1.0.0) applied
$ nanoclaw diff --by
> b.txt
> x         1  x 1
> core      2  core 1
>           3  core 2
> 001-mine  4  mine
>   2 core, 1 skill x, 1 patch 001-mine
