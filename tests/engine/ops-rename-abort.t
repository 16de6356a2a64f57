# abort after a rename brings back the very file, with its permissions and times
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt [600] --
1
2
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
file_ops: [{type: rename, from: a.txt, to: sub/c.txt}]
-- skills/x/modify/b.txt --
X
== run ==
$ touch -d 2020-01-01 a.txt
$ nanoclaw -q init
$ echo mine > b.txt
$! nanoclaw skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>   renamed   a.txt -> sub/c.txt
>   CONFLICT  b.txt
>
> To resolve:
>   b.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat sub/c.txt
> 1
> 2
$ echo more >> sub/c.txt
$! nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'sub/c.txt' was edited since then; your version is in '.nanoclaw/kept/sub/c.txt'
$ ls sub; stat -c '%y %a' a.txt
> 2020-01-01 00:00:00.000000000 +0000 600
2> ls: cannot access 'sub': No such file or directory
== after ==
-- b.txt --
mine
