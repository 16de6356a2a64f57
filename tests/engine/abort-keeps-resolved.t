# abort keeps what was written to resolve a file that a later skill of the batch then renamed
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
1
2
-- b.txt --
1
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/one/modify/a.txt --
one
2
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
file_ops: [{type: rename, from: a.txt, to: c.txt}]
-- skills/two/modify/b.txt --
two
== run ==
$ nanoclaw -q init; sed -i 's/1/mine/' a.txt b.txt; nanoclaw -q skill apply one two --on-drift record >/dev/null
? 3
$ printf '%s\n' 'one and mine' 2 'written to settle it' >a.txt; nanoclaw -q continue >/dev/null
? 3
$ nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'c.txt' was edited since then; your version is in '.nanoclaw/kept/c.txt'
$ grep -rl 'written to settle' . | grep -v history
> ./.nanoclaw/kept/c.txt
