# unrecorded changes without a terminal to ask on: exit 2; abort: exit 1; nothing touched
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q init
$ echo mine >>a.txt; chmod +x b.txt
$ nanoclaw skill apply x
? 2
2> error: You have unrecorded changes in 'a.txt' and 'b.txt'. Not a terminal, cannot ask
2> hint: choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'
$ nanoclaw skill apply x --on-drift abort
? 1
2> error: 'a.txt' and 'b.txt' changed, and the changes are not recorded; nothing was done
2> hint: 'nanoclaw diff' shows the changes; '--on-drift record' records them, '--on-drift continue' leaves them unrecorded
# It wins over --yes.
$ nanoclaw --yes skill apply x --on-drift abort
? 1
2> error: 'a.txt' and 'b.txt' changed, and the changes are not recorded; nothing was done
2> hint: 'nanoclaw diff' shows the changes; '--on-drift record' records them, '--on-drift continue' leaves them unrecorded
$ nanoclaw skill apply x --on-drift later
? 2
2> error: '--on-drift' must be 'record', 'continue' or 'abort', not 'later'
$ nanoclaw --json skill apply x
? 2
> {
>   "error": "You have unrecorded changes in 'a.txt' and 'b.txt'. Not a terminal, cannot ask",
>   "hint": "choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'",
>   "success": false,
>   "untrackedChanges": [
>     "a.txt",
>     "b.txt"
>   ]
> }
2> error: You have unrecorded changes in 'a.txt' and 'b.txt'. Not a terminal, cannot ask
2> hint: choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'
$ ls -I index .nanoclaw
> base
> base.sha256
> history
> lock
> state.yaml
== after ==
-- a.txt --
one
mine
-- b.txt [755] --
b
