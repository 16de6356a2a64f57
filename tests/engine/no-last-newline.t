# a missing last newline stays missing, on either side
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt [no-newline] --
one
two
three
four
-- b.txt --
one
two
three
four
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
adds: [n.txt]
-- skills/x/modify/a.txt [no-newline] --
ONE
two
three
four
-- skills/x/modify/b.txt --
ONE
two
three
four
-- skills/x/add/n.txt [no-newline] --
new
== run ==
$ nanoclaw -q init
$ printf 'one\ntwo\nthree\nfour, mine' > a.txt
$ printf 'one\ntwo\nthree\nfour' > b.txt
$ nanoclaw -q skill apply --on-drift continue x
> x 1.0.0 applied
== after ==
-- a.txt [no-newline] --
ONE
two
three
four, mine
-- b.txt [no-newline] --
ONE
two
three
four
-- n.txt [no-newline] --
new
