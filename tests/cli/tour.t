# the tour runs through without a terminal, and leaves nothing behind
== run ==
$ nanoclaw tour
> A tour of NanoClaw, on a copy of a sample project in [..]
> ...
> 4 of [..]  A three-way merge keeps both changes. [..]
> ...
> That was the tour; the copy is gone again. 'nanoclaw help' lists all commands.
$ nanoclaw --json tour
> {
>   "steps": [
> ...
>   "success": true
> }
$ ls "$TMPDIR"
