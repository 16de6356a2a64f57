# abort saves files that were edited during a pause
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/base .nanoclaw/objects
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [n.txt]
-- skills/first/add/n.txt --
new
-- skills/first/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue first
? 3
> ...
$ echo half done > a.txt
$ echo more >> n.txt
$! nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'a.txt' was edited since then; your version is in '.nanoclaw/kept/a.txt'
2> warning: 'n.txt' was edited since then; your version is in '.nanoclaw/kept/n.txt'
== after ==
-- a.txt --
mine
-- .nanoclaw/kept/a.txt --
half done
-- .nanoclaw/kept/n.txt --
new
more
