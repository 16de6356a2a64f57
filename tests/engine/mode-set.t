# a skill that sets the execute bit sets it, for those who may read
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.sh --
one
-- b.sh [600] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.sh, b.sh]
-- skills/x/modify/a.sh [755] --
ONE
-- skills/x/modify/b.sh [755] --
ONE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
== after ==
-- a.sh [755] --
ONE
-- b.sh [700] --
ONE
