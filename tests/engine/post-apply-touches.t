# files that a failing command only touched have their content at every moment
unlisted: .nanoclaw
leftover: .nanoclaw/kept
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
two
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
post_apply: ["touch a.txt b.txt; false"]
-- skills/x/add/n.txt --
new
== run ==
$ nanoclaw -q init
# Not as in the base: this one has a copy while the command runs.
$ echo mine >>b.txt
$! nanoclaw skill apply --on-drift continue x
? 1
2> warning: 'a.txt' was changed in the meantime; that version is in '.nanoclaw/kept/a.txt'
2> warning: 'b.txt' was changed in the meantime; that version is in '.nanoclaw/kept/b.txt'
2> error: a command of skill 'x' failed with exit code 1: touch a.txt b.txt; false
2> hint: everything is as it was before
== after ==
-- b.txt --
two
mine
