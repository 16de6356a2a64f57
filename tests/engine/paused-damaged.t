# notes of a pause that are damaged: exit 2 with the place, and nothing is touched
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- new/VERSION --
2.0.0
-- new/a.txt --
two
== run ==
$ nanoclaw -C p -q init; echo mine > p/a.txt
$ nanoclaw -C p -q --yes update ../new --on-drift record >log; cp p/.nanoclaw/backup/pause.yaml good; cp p/a.txt was
$ sed 's/^update:.*/update: soon/; /^update/,/^[a-z]/{/^ /d}' good >p/.nanoclaw/backup/pause.yaml; nanoclaw -C p continue
? 2
2> error: .nanoclaw/backup/pause.yaml:43:9: 'update' must be a mapping, not a string
2> hint: 'nanoclaw abort' undoes the operation that is paused; if it cannot, 'nanoclaw doctor --fix' moves its remains away
$ sed 's/^conflicts:.*/conflicts: many/; /^conflicts/,/^[a-z]/{/^ /d}' good >p/.nanoclaw/backup/pause.yaml; nanoclaw -C p continue
? 2
2> error: .nanoclaw/backup/pause.yaml:3:12: 'conflicts' must be a sequence, not a string
2> hint: 'nanoclaw abort' undoes the operation that is paused; if it cannot, 'nanoclaw doctor --fix' moves its remains away
$ sed '/^operation/d' good >p/.nanoclaw/backup/pause.yaml; nanoclaw -C p continue
? 2
2> error: .nanoclaw/backup/pause.yaml:1:1: the records of the pause are incomplete
2> hint: 'nanoclaw abort' undoes the operation that is paused; if it cannot, 'nanoclaw doctor --fix' moves its remains away
# With its notes it goes on.
$ cmp p/a.txt was; cp good p/.nanoclaw/backup/pause.yaml; echo both > p/a.txt; nanoclaw -C p -q continue; rm good was log
> Core updated: 1.0.0 → 2.0.0
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
both
