# a skill that takes the execute bit away does so, and nothing else
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.sh [750] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.sh]
-- skills/x/modify/a.sh [644] --
one
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    a.sh
== after ==
-- a.sh [640] --
one
