# abort gives back exact bytes, permissions and times
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/objects
-- VERSION --
1.0.0
-- a.txt [600] --
one
-- b.txt [755] --
b
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
adds: [new/n.txt]
-- skills/first/add/new/n.txt --
new
-- skills/first/modify/a.txt --
ONE
-- skills/first/modify/b.txt --
B
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ touch -d '2001-02-03 04:05:06.789' a.txt b.txt
$ nanoclaw -q skill apply --on-drift continue first
? 3
> ...
$ test -f new/n.txt
$! nanoclaw abort
> everything is as it was before 'skill apply'
$ stat -c '%y %a' a.txt b.txt
> 2001-02-03 04:05:06.789000000 +0000 600
> 2001-02-03 04:05:06.789000000 +0000 755
$ nanoclaw abort
? 2
2> error: no operation is paused
== after ==
-- a.txt [600] --
mine
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/a.txt --
one
-- .nanoclaw/base/b.txt [755] --
b
