# a host is stopped and started again however it was started, and what it wrote can be read
needs: bwrap
ignore: store data log out groups container logs groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
while read -r line; do
	echo '{"type":"result","subtype":"success","is_error":false,"result":"from here","session_id":"s1"}'
done
-- other [755] --
#!/bin/sh
while read -r line; do
	printf 'Traceback (most recent call last):\n  File "x"\nValueError: no such thing\n' >&2
	exit 1
done
-- .env --
NANOCLAW_AGENT=../../agent
NANOCLAW_TURN_TRIES=1
== run ==
$ nanoclaw stop
> no host is running here
$ nanoclaw restart
? 1
2> error: no host is running here
2> hint: 'nanoclaw start' or 'nanoclaw run' starts one
$ nanoclaw logs
> no host has run here yet
$ nanoclaw history
> nothing has been said yet
$ nanoclaw trace
> this project has no messages yet
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw send main hello --wait
> from here
# It reads its settings anew, in the same process.
$ sed -i 's/agent$/other/' .env; nanoclaw restart
> the host (pid [..]) has started again
$ nanoclaw send main 'hello again' --wait
? 1
> Sorry, I could not answer this (error t2).
$ nanoclaw trace
> turn  time                 group  state[..]message
> t2    20[..] main   failed[..]hello again
> t1    20[..] main   delivered[..]hello
$ nanoclaw trace t2 | grep ValueError
> [..]  failed    the agent ended with exit code 1 before it answered: ValueError: no such thing
$ TZ=Asia/Tokyo nanoclaw history main --last 2 --json | grep -c 'Z"'
> 2
$ nanoclaw history main
> 20[..]  [..]: hello
> 20[..]  Andy: from here
> 20[..]  [..]: hello again
> 20[..]  Andy: Sorry, I could not answer this (error t2).
$ nanoclaw history --last 0
? 2
2> error: '--last' takes a number from 1 to 100000, not '0'
# Its sockets are made again if somebody removes them; until then, its lock says who it is.
$ rm -rf data/run; tail -f --retry -n +1 logs/host.log 2>/dev/null | grep -m2 -o 'socket .* is made again' | sort
> socket 'host.sock' was gone and is made again
> socket 'watch.sock' was gone and is made again
$ nanoclaw send main 'hello again' --wait
? 1
> Sorry, I could not answer this (error t3).
$ ls data/run
> host.sock
> sandboxes
> watch.sock
$ rm -rf data/run; nanoclaw stop
> the host (pid [..]) is stopped
$ sed -i '/made again/d' logs/host.log
$ nanoclaw stop --json
> {
>   "stopped": false,
>   "success": true
> }
$ nanoclaw logs
> 20[..]  channel 'local' is connected
> 20[..]  the host of '[dir]' is running (pid [..]); Ctrl-C stops it
> 20[..]  starting again (signal 10)
> 20[..]  channel 'local' is connected
> 20[..]  the host of '[dir]' is running (pid [..]); Ctrl-C stops it
> ...
> 20[..]  stopping (signal 15)
$ nanoclaw logs --last 1 --json
> {
>   "lines": [
>     {
>       "text": "stopping (signal 15)",
>       "time": "20[..]Z"
>     }
>   ],
>   "success": true
> }
# Times are local: nine hours later in Tokyo.
$ printf '2026-02-16T22:47:02.139Z error: one\nwithout a time\n' >logs/host.log; TZ=Asia/Tokyo nanoclaw logs
> 2026-02-17 07:47:02  error: one
> without a time
# What is added is shown as it comes.
$ mkfifo out; (nanoclaw logs -f --last 1 >out &); exec 3<out; read -r line <&3; echo more >>logs/host.log; read -r line <&3; echo "$line"
> more
== after ==
-- .env --
NANOCLAW_AGENT=../../other
NANOCLAW_TURN_TRIES=1
