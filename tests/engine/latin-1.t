# bytes that are not UTF-8 are merged as they are, and shown in a conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt [hex] --
6f 6e 65 0a e9 0a 74 77 6f 0a 78 0a e8 0a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt [hex] --
6f 6e 65 0a e9 e9 0a 74 77 6f 0a 78 0a e8 0a
== run ==
$ nanoclaw -q init
$ printf 'one\n\351\ntwo\nx\n\350 mine\n' > a.txt
$ nanoclaw -q skill apply --on-drift continue x
> x 1.0.0 applied
== after ==
-- a.txt [hex] --
6f 6e 65 0a e9 e9 0a 74 77 6f 0a 78 0a e8 20 6d 69 6e 65 0a
