# doctor undoes what was interrupted and says so; what cannot be undone is a problem
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
test: "kill -KILL $PPID"
-- skills/x/modify/a.txt --
ONE
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
two
== run ==
$ ln -s /bin/false ~/unshare # without a sandbox, a command can kill us
$ nanoclaw -q init; (PATH=~:$PATH nanoclaw -q skill apply x; :) 2> /dev/null; cat a.txt
> ONE
$ nanoclaw doctor
> ok       interrupted  'skill apply' was interrupted and has been rolled back
> ok       clock        [..]
> ok       disk         [..] GiB are free here
> ok       leftovers    no leftover files
> ok       libraries    jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]
> ok       packages     none required
> ok       state        core 1.0.0, skills applied: 0
> ok       base         the copy of the core exists
> ok       pending      nothing is paused
> ok       kept         the files in '.nanoclaw' are as recorded
> ok       zone         [..]
>
> nothing is broken
$ nanoclaw -q doctor
$ (PATH=~:$PATH nanoclaw -q skill apply x; :) 2> /dev/null; cp .nanoclaw/tx/journal kept; echo broken > .nanoclaw/tx/journal
$ nanoclaw -q doctor
? 1
> problem  interrupted  cannot undo an operation that was interrupted: the journal is incomplete
>                       try: nanoclaw doctor --fix
> problem  recovery     '.nanoclaw/tx': an operation that was interrupted cannot be undone
>                       try: nanoclaw doctor --fix
$ cp kept .nanoclaw/tx/journal; rm kept; nanoclaw -q doctor; cat a.txt
> one
# A pause is not an interrupted operation, but a person has to continue it.
$ echo mine > a.txt; nanoclaw -q skill apply y --on-drift continue
? 3
> y 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -q doctor
> warning  pending      'skill apply' is paused, with 1 to resolve ('nanoclaw abort' undoes it)
>                       try: nanoclaw continue
$ nanoclaw -q abort; echo one > a.txt
