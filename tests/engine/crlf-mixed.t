# line endings that differ are changes as others are: nothing is lost
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
two
three
four
five
== run ==
$ nanoclaw -q init
$ printf 'one\ntwo\nthree\nfour\r\nfive, mine\r\n' > a.txt
$ nanoclaw -q skill apply --on-drift continue x
> x 1.0.0 applied
== after ==
-- a.txt [hex] --
4f 4e 45 0a 74 77 6f 0a 74 68 72 65 65 0a 66 6f 75 72 0d 0a 66 69 76 65 2c 20 6d 69 6e 65 0d 0a
