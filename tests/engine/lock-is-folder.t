# a lock that is a folder or a link is named, and nothing seems to run
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw -q init; rm .nanoclaw/lock; mkdir .nanoclaw/lock .nanoclaw/tx
$ nanoclaw skill apply x
? 1
2> error: cannot lock '[dir]/.nanoclaw/lock': is a directory
2> hint: nothing was changed; it must be an empty file: delete it
$ nanoclaw status
? 1
2> error: cannot lock '[dir]/.nanoclaw/lock': is a directory
2> hint: nothing was changed; it must be an empty file: delete it
$ rmdir .nanoclaw/lock; ln -s ../VERSION .nanoclaw/lock
$ nanoclaw skill apply x
? 1
2> error: cannot lock '[dir]/.nanoclaw/lock': too many levels of symbolic links
2> hint: nothing was changed; it must be an empty file: delete it
$ rm .nanoclaw/lock
$ nanoclaw -q skill apply x
> x 1.0.0 applied
== after ==
-- n.txt --
new
