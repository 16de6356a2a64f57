# whatever ends the chat of start, the host stops, and what was said is answered the next time
ignore: store data groups logs container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
needs: bwrap flock
-- talk [755] --
#!/bin/sh
# Talk to it, end it by this signal, and wait until nobody holds the lock. An answer
# whose receipt was lost comes again, so others may come before the one that is wanted.
exec 2>/dev/null
mkfifo in out
nanoclaw start <in >out &
exec 3>in 4<out
echo "remember $1" >&3
until read -r answer <&4 && [ "$answer" = "Noted: $1" ]; do :; done
kill -"$1" $!
wait $!
echo "exit code $?"
flock store/lock echo the host has stopped
rm in out
-- silent [755] --
#!/bin/sh
# An agent that does not answer, and says that it was asked.
read -r line
echo asked >asked
exec sleep 1000
== run ==
$ ./talk TERM
> exit code 143
> the host has stopped
$ ./talk HUP
> exit code 129
> the host has stopped
$ ./talk KILL
> exit code 137
> the host has stopped
$ echo notes | nanoclaw start | tail -n 3
> 1. TERM
> 2. HUP
> 3. KILL
# The message is stored when the agent has it, and is answered by another one.
$ mkfifo in groups/main/asked; exec 2>/dev/null; (exec 3>in; echo 'remember me' >&3; read -r _ <groups/main/asked; kill -KILL "$(cat pid)") & \
  sh -c 'echo $$ >pid; NANOCLAW_AGENT=../../silent exec nanoclaw start' <in >/dev/null; \
  flock store/lock echo the host has stopped; rm in groups/main/asked pid
> the host has stopped
$ nanoclaw status | grep -o 'waiting.*'
> waiting 0, being answered 1
$ echo notes | nanoclaw start | tail -n 1
> 4. me
$ nanoclaw status | grep -o 'waiting.*'
> waiting 0, being answered 0
