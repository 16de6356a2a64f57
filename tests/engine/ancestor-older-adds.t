# a skill for an older core that only adds lines is merged with the present one
unlisted: .nanoclaw
-- VERSION --
2.0.0
-- a.txt --
one
two
three, of core 2
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
X
two
three, of core 2
Y
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    a.txt
== after ==
-- a.txt --
one
X
two
three, of core 2
Y
