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
# It also leaves nothing when nobody listens any more, or when it is told to stop.
$ nanoclaw tour | head -n 1 | cut -c 1-18
> A tour of NanoClaw
$ ls "$TMPDIR"
$ mkfifo out; nanoclaw tour > out & exec 3< out; read -r line <&3; kill -TERM $!; cat <&3 > /dev/null; \
  wait $!; rm out
2> ...
$ ls "$TMPDIR"
