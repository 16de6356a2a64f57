# dependent skills are named and block a removal, or are removed too
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- skills/x/add/x.txt --
x1
x2
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
adds: [y.txt]
-- skills/y/add/y.txt --
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [x.txt]
-- skills/z/modify/x.txt --
x1
x2
z
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
adds: [other.txt]
-- skills/other/add/other.txt --
other
== run ==
$ nanoclaw -q skill apply x y z other
> x 1.0.0 applied
> y 1.0.0 applied
> z 1.0.0 applied
> other 1.0.0 applied
$ nanoclaw skill remove x
? 2
2> error: 'y', 'z' build on 'x'
2> hint: '--with-dependents' removes them, too
$! nanoclaw skill remove x --with-dependents
> x 1.0.0 removed
> y 1.0.0 removed
>   removed   y.txt
> z 1.0.0 removed
>   removed   x.txt
== after ==
-- other.txt --
other
