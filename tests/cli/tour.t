# the tour runs through without a terminal, and leaves nothing behind
== run ==
$ nanoclaw tour
> A tour of NanoClaw, on a copy of a sample project in [..]
> ...
>   $ nanoclaw skill apply smile
>   smile 1.0.0 applied
>     merged    lib/answers.sh
>   1 test passed
>   $ echo hello | sh ./postbox
>   Postbox: Hello! :-)
> ...
>   $ nanoclaw skill apply shout --on-drift record
>   your changes are recorded as 002-changes-to-lib-settings-sh
>   shout 1.0.0 paused
>     CONFLICT  lib/settings.sh
>     resolved  postbox
> ...
>   (exit code 3)
> ...
>   $ nanoclaw continue
>   shout 1.0.0 applied
>   5 tests passed
>   $ echo hello | sh ./postbox
>   MAILBOX: AHOY! :-) THANK YOU.
> ...
> That was the tour; the copy is deleted. 'nanoclaw help' shows the commands to start with.
$ nanoclaw --json tour
> {
>   "steps": [
> ...
>   "success": true
> }
$ ls "$TMPDIR"
# It also leaves nothing behind if its output is closed, or if it gets a signal.
$ nanoclaw tour | head -n 1 | cut -c 1-18
> A tour of NanoClaw
$ ls "$TMPDIR"
# The shell's message about the end of the tour depends on when the signal arrives.
$ exec 2> /dev/null; mkfifo out; nanoclaw tour > out & exec 3< out; read -r line <&3; kill -TERM $!; \
  cat <&3 > /dev/null; wait $!; rm out
$ ls "$TMPDIR"
