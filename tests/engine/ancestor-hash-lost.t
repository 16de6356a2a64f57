# unknown base_hashes: exit 2 with the lines at risk, unless accepted
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
base_hashes: {a.txt: 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806}
-- skills/x/modify/a.txt --
one
X
== run ==
$ nanoclaw skill apply x
? 2
2> error: x 1.0.0 was written for another 'a.txt' of core 1.0.0, which is not known here: it would remove lines that may have been added since:
2>     two
2>     three
2> hint: if you edited the file before the core was saved, put the old one back, run 'nanoclaw init', and edit it again; or accept it with '--ancestor base'
$ test ! -e .nanoclaw
$ nanoclaw --yes skill apply x
? 2
2> error: x 1.0.0 was written for another 'a.txt' of core 1.0.0, which is not known here: it would remove lines that may have been added since:
2>     two
2>     three
2> hint: if you edited the file before the core was saved, put the old one back, run 'nanoclaw init', and edit it again; or accept it with '--ancestor base'
$ nanoclaw skill apply x --ancestor base
> x 1.0.0 applied
>   merged    a.txt
2> warning: 'a.txt' is merged with the current core, as accepted
== after ==
-- a.txt --
one
X
