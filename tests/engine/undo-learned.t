# a person's resolutions are still known after an undo
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two x
three
== run ==
$ nanoclaw -q init; sed -i 's/two/two mine/' a.txt; nanoclaw -q skill apply --on-drift record x >/dev/null
? 3
$ printf 'one\ntwo x mine\nthree\n' > a.txt; nanoclaw -q continue
> x 1.0.0 applied
$! nanoclaw undo
> 'skill apply x' is undone
>   restored  a.txt
2> warning: your version of 'a.txt' is kept in '.nanoclaw/kept/a.txt'
$! nanoclaw skill apply --on-drift record x
> your changes are recorded as 001-changes-to-a-txt
> x 1.0.0 applied
>   resolved  a.txt
$ nanoclaw verify
> 8 files checked: all as recorded
== after ==
-- a.txt --
one
two x mine
three
