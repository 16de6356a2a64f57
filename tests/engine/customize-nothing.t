# a customization without changes leaves no entry in the history
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
one
== run ==
$ nanoclaw -q init; nanoclaw -q customize start again
$! nanoclaw customize commit
> nothing changed, so there is nothing to record
$ nanoclaw customize record nothing
> nothing changed, so there is nothing to record
$ nanoclaw status
> core 1.0.0
$ nanoclaw --json undo --list | grep operation
>       "operation": "customize start",
>       "operation": "init",
$ nanoclaw -q undo; nanoclaw undo
> 'init' is undone
