# background processes of a test are ended and hold no lock
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "sleep 50 & echo started"
-- skills/x/add/n.txt --
new
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [m.txt]
test: "setsid sleep 3 & true"
-- skills/y/add/m.txt --
new
== run ==
$ nanoclaw skill apply x
> x 1.0.0 applied
>   added     n.txt
> 1 test passed
$ nanoclaw skill apply y
> y 1.0.0 applied
>   added     m.txt
> 2 tests passed
$ nanoclaw -q status
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
== after ==
-- m.txt --
new
-- n.txt --
new
