# files that were there before the skill added the same stay
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- mine.txt --
same
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [mine.txt, n.txt]
-- skills/x/add/mine.txt --
same
-- skills/x/add/n.txt --
n
-- .gitignore --
mine.txt
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   as it is  mine.txt
>   added     n.txt
$! nanoclaw skill remove x
> x 1.0.0 removed
>   kept      mine.txt
>   removed   n.txt
$ nanoclaw status; nanoclaw verify
> core 1.0.0
> 4 files checked: all as recorded
