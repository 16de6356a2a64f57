# changes by a failing test to other files of the core and of skills are undone
unlisted: .nanoclaw
leftover: .nanoclaw/kept* new
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- c.txt --
c
-- d.sh [755] --
d
-- deep/er/f.txt --
f
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- skills/y/add/y.txt --
y
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: "echo edited > b.txt; echo edited >> c.txt; rm y.txt; chmod 600 d.sh; touch new; rm -r deep; false"
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q skill apply y
> y 1.0.0 applied
$ echo mine >> c.txt
$ touch -d '2001-02-03 04:05:06' c.txt b.txt
$! nanoclaw -q skill apply --on-drift continue x
? 5
2> error: the test of skill 'x' failed with exit code 1: echo edited > b.txt; echo edited >> c.txt; rm y.txt; chmod 600 d.sh; touch new; rm -r deep; false
2> hint: everything is as it was before
$ rm new
$ stat -c '%y %n' b.txt c.txt
> 2001-02-03 04:05:06.000000000 +0000 b.txt
> 2001-02-03 04:05:06.000000000 +0000 c.txt
$ nanoclaw status
> core 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    c.txt
== after ==
-- .nanoclaw/kept/b.txt --
edited
-- .nanoclaw/kept/c.txt --
c
mine
edited
-- .nanoclaw/kept/d.sh [600] --
d
-- c.txt --
c
mine
-- y.txt --
y
