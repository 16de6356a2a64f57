# files that a failing test changed, deleted or replaced are put back
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- core.txt [755] --
core
-- gone.txt --
gone
-- folder/x --
x
-- link -> core.txt --
-- mine.txt --
before
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "echo changed > core.txt; rm gone.txt; echo changed > mine.txt; echo changed > n.txt; rm link; echo q > link; rm -r folder; echo f > folder; false"
-- skills/first/add/n.txt --
new
== run ==
$ nanoclaw -q init
$ echo my own line > mine.txt
$ nanoclaw skill apply --on-drift continue first
? 5
2> warning: 'core.txt' was changed in the meantime; that version is in '.nanoclaw/kept/core.txt'
2> warning: 'folder' was changed in the meantime; that version is in '.nanoclaw/kept/folder'
2> warning: 'link' was changed in the meantime; that version is in '.nanoclaw/kept/link'
2> warning: 'mine.txt' was changed in the meantime; that version is in '.nanoclaw/kept/mine.txt'
2> warning: 'n.txt' was changed in the meantime; that version is in '.nanoclaw/kept/n.txt'
2> error: the test of skill 'first' failed with exit code 1: [..]
2> hint: everything is as it was before
== after ==
-- mine.txt --
my own line
