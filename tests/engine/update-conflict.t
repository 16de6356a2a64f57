# an update that conflicts with the user's change pauses; abort goes back to the version before
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
1
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [n.txt]
-- new/x/add/n.txt --
2
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ cp -r .nanoclaw before
$ echo mine > n.txt
$ nanoclaw skill apply --on-drift continue new/x
? 3
> x 2.0.0 (before: 1.0.0) paused
>   CONFLICT  n.txt
>
> To settle:
>   n.txt: edit it, and remove the conflict markers
> Then type 'nanoclaw continue'; or 'nanoclaw abort' to undo everything.
$ cat n.txt
> <<<<<<< yours
> mine
> ||||||| the version before
> 1
> =======
> 2
> >>>>>>> x 2.0.0
$! nanoclaw abort
> everything is as it was before 'skill apply'
$ diff -r -x index before .nanoclaw && rm -r before
$ cat n.txt
> mine
== after ==
-- n.txt --
mine
