# a user's file that is what the skill adds is no conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw -q init
$ echo new > n.txt
$ nanoclaw skill apply x
> x 1.0.0 applied
>   as it is  n.txt
== after ==
-- n.txt --
new
