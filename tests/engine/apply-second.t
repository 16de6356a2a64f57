# two skills and the user change the same file apart from each other: all is kept
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/objects
-- VERSION --
1.0.0
-- src/a.txt --
one
two
three
four
five
six
seven
eight
nine
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/first/modify/src/a.txt --
one FIRST
two
three
four
five
six
seven
eight
nine
-- skills/second/manifest.yaml --
skill: second
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/second/modify/src/a.txt --
one
two
three
four
five
six
seven
eight
nine SECOND
== run ==
$ nanoclaw -q skill apply first
> first 1.0.0 applied
$ sed -i 's/^five$/five, mine/' src/a.txt
$! nanoclaw -q skill apply --on-drift continue second
> second 1.0.0 applied
== after ==
-- src/a.txt --
one FIRST
two
three
four
five, mine
six
seven
eight
nine SECOND
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/src/a.txt --
one
two
three
four
five
six
seven
eight
nine
