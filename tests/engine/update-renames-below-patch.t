# a new version renames and changes a file that a patch lies on: the patch keeps its lines only
unlisted: .nanoclaw
ignore: skills
-- VERSION --
1.0.0
-- a.txt --
core 1
core 2
core 3
core 4
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
x
core 1
core 2
core 3
core 4
== run ==
$ nanoclaw -q skill apply x; echo mine >>a.txt
> x 1.0.0 applied
$ sed -i 's/^version: 1/version: 2/; s/\[a.txt\]/[b.txt]/' skills/x/manifest.yaml; mv skills/x/modify/a.txt skills/x/modify/b.txt
$ echo 'file_ops: [{type: rename, from: a.txt, to: b.txt}]' >>skills/x/manifest.yaml; sed -i 's/^x/x 2/' skills/x/modify/b.txt
$ nanoclaw -q skill update x --on-drift record; sed -n '/^@@/,$p' .nanoclaw/custom/*.patch; nanoclaw verify
> x 2.0.0 (before: 1.0.0) applied
> @@ -3,3 +3,4 @@
>  core 2
>  core 3
>  core 4
> +mine
> 9 files checked: all as recorded
$ nanoclaw replay; nanoclaw diff --by
> 1 skill and 1 patch replayed: 2 files are as recorded
> b.txt
> x                     1  x 2
> core                  2  core 1
>                       3  core 2
>                       4  core 3
>                       5  core 4
> 001-changes-to-a-txt  6  mine
>   4 core, 1 skill x, 1 patch 001-changes-to-a-txt
== after ==
-- !a.txt --
-- b.txt --
x 2
core 1
core 2
core 3
core 4
mine
