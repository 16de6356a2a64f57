# a file that is as the core made it is deleted without a question
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- old/a.txt --
a
-- old/b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: old/a.txt}]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: old/a.txt}]
== run ==
$! nanoclaw skill apply x
> x 1.0.0 applied
>   deleted   old/a.txt
$ grep -A1 files_deleted .nanoclaw/state.yaml
>     files_deleted:
>       - old/a.txt
$ nanoclaw skill apply y
> y 1.0.0 applied
>   as it is  old/a.txt
== after ==
-- !old/a.txt --
