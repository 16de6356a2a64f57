# a skill that changes a file that is nowhere adds it, with a warning
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   added     a.txt
2> warning: skill 'x' changes 'a.txt', which does not exist; it is added
== after ==
-- a.txt --
ONE
