# abort does not say that all is as before when what it needs for that is gone
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init; echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x
? 3
> ...
$ saved=$(grep -lx mine .nanoclaw/backup/saved/*); echo "$saved" >where; mv "$saved" elsewhere
$ nanoclaw abort
? 1
2> error: '.nanoclaw/backup/saved/[..]', the old version of 'a.txt', is missing
2> hint: nothing was changed: it is still paused; restore that file, or resolve the conflict and 'nanoclaw continue'; 'nanoclaw doctor --fix' moves the remains of the pause away
$ mv elsewhere "$(cat where)"; rm where
$ nanoclaw -q abort
== after ==
-- a.txt --
mine
