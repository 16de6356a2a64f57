# a decision is open as long as a folder is where the file was
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
$ nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm a.txt; mkdir a.txt
$ nanoclaw continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'a.txt' is not a file now; delete it, or restore the file
$ rmdir a.txt
$ nanoclaw -q continue
> x 1.0.0 applied
== after ==
-- !a.txt --
-- n --
n
