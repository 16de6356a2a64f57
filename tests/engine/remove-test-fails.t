# if a test of another skill fails, everything is as it was before
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [sub/x.txt]
-- skills/x/add/sub/x.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
test: test -e sub/x.txt
-- skills/y/add/y.txt --
y
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$! nanoclaw skill remove x
? 5
2> error: the test of skill 'y' failed with exit code 1: test -e sub/x.txt
2> hint: everything is as it was before
$ nanoclaw skill remove x --no-test
> x 1.0.0 removed
>   removed   sub/x.txt
== after ==
-- y.txt --
y
