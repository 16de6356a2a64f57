# CR LF files are merged as such
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt [crlf] --
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
-- skills/x/modify/a.txt [crlf] --
ONE
two
three
four
five
== run ==
$ nanoclaw -q init
$ printf 'one\r\ntwo\r\nthree\r\nfour\r\nfive, mine\r\n' > a.txt
$ nanoclaw -q skill apply --on-drift continue x
> x 1.0.0 applied
== after ==
-- a.txt [crlf] --
ONE
two
three
four
five, mine
