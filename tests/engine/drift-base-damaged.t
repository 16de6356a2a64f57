# damage to the base is never recorded as a change of the person
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/x/add/n.txt --
new
== run ==
# A file that looks as it did at 'init' is not compared with its copy; one that was touched is.
$ nanoclaw -q init; echo mine >> b.txt; touch a.txt; echo evil >> .nanoclaw/base/a.txt
$ nanoclaw skill apply x --on-drift record
? 1
2> error: your changes in 'a.txt' cannot be determined: its copy in '.nanoclaw/base' is damaged
2> hint: 'nanoclaw verify' shows all damage; '--on-drift continue' leaves your changes as they are, and unrecorded
$ nanoclaw customize start more --yes
? 1
2> error: your changes in 'a.txt' cannot be determined: its copy in '.nanoclaw/base' is damaged
2> hint: 'nanoclaw verify' shows all damage; '--on-drift continue' leaves your changes as they are, and unrecorded
$ nanoclaw customize list
> no custom patches are recorded here
# An edit of a file whose copy is whole can be recorded, once the other one is, too.
$ echo one > .nanoclaw/base/a.txt; nanoclaw skill apply x --on-drift record
> your changes are recorded as 001-changes-to-b-txt
> x 1.0.0 applied
>   added     n.txt
== after ==
-- b.txt --
one
mine
-- n.txt --
new
