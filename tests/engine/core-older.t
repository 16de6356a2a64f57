# a skill for a later core gets a warning
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.2.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    a.txt
2> warning: skill 'x' was written for core 1.2.0, this is the older 1.0.0
== after ==
-- a.txt --
ONE
