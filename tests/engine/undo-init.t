# init is an operation, too; what is in .nanoclaw and is not from it stays
-- VERSION --
1.0.0
-- a.txt --
a
== run ==
$ nanoclaw -q init
$ mkdir -p .nanoclaw/kept; echo mine >.nanoclaw/kept/mine
$! nanoclaw undo
> 'init' is undone
$ find .nanoclaw | sort
> .nanoclaw
> .nanoclaw/kept
> .nanoclaw/kept/mine
> .nanoclaw/lock
$ nanoclaw status
> no skills have been applied here
== after ==
-- .nanoclaw/kept/mine --
mine
