# continue does not apply another version than the operation began with
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/y/add/n.txt --
n
== run ==
$ nanoclaw -q init; echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x y
? 3
> ...
$ echo both > a.txt; sed -i 's/^version: .*/version: 9.0.0/' skills/y/manifest.yaml
$ nanoclaw continue
? 2
2> error: the package of skill 'y' was 1.0.0 when the operation began and is now 9.0.0
2> hint: it is still paused; restore 1.0.0 and run 'nanoclaw continue', or 'nanoclaw abort'
$ sed -i 's/^version: .*/version: 1.0.0/' skills/y/manifest.yaml
$ nanoclaw -q continue
> x 1.0.0 applied
> y 1.0.0 applied
== after ==
-- a.txt --
both
-- n.txt --
n
