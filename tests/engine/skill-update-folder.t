# a new version drops the last file of a folder that only the skill had: the folder goes, too
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt, deep/er/x.txt]
-- skills/x/add/x.txt --
x
-- skills/x/add/deep/er/x.txt --
x
-- two/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [x.txt]
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ cp two/manifest.yaml skills/x; rm -r skills/x/add/deep
$! nanoclaw skill update
> x 2.0.0 (before: 1.0.0) applied
>   as it is  x.txt
>   removed   deep/er/x.txt
$ nanoclaw undo; ls deep/er
> 'skill update x' is undone
>   restored  deep/er/x.txt
> x.txt
$ nanoclaw -q skill update
> x 2.0.0 (before: 1.0.0) applied
== after ==
-- x.txt --
x
-- skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [x.txt]
-- !skills/x/add/deep --
