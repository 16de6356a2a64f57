# a FIFO in place of a file: exit 2, without waiting for a writer
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/n/manifest.yaml --
skill: n
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/n/add/n.txt --
ONE
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/m/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init
$ mkfifo n.txt
$ nanoclaw skill apply n
? 2
2> error: skill 'n' needs a file at 'n.txt', but something that is not a file is there
2> hint: move it away first
$ rm a.txt n.txt; mkfifo a.txt
$ nanoclaw skill apply --on-drift continue m
? 2
2> error: skill 'm' needs a file at 'a.txt', but something that is not a file is there
2> hint: move it away first
$ rm a.txt; echo one > a.txt
