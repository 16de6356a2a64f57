# abort after a decision leaves the file as it was edited, also if it was deleted since
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n]
file_ops: [{type: delete, path: a.txt}]
-- skills/x/add/n --
n
== run ==
$ nanoclaw -q init
$ echo mine >> a.txt
$! nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm a.txt
$! nanoclaw abort
> everything is as it was before 'skill apply'
$ cat a.txt
> a
> mine
== after ==
-- a.txt --
a
mine
