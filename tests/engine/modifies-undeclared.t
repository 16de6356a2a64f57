# a file that a skill added on which this one does not depend
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [a.txt]
-- skills/x/add/a.txt --
1
2
3
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
1
2
3 Y
== run ==
$ nanoclaw skill apply x y
> x 1.0.0 applied
>   added     a.txt
> y 1.0.0 applied
>   merged    a.txt
== after ==
-- a.txt --
1
2
3 Y
