# start answers a pipe, and leaves nothing running unless asked; a host that runs is used and left alone
ignore: store data groups logs container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
needs: sandbox flock
== run ==
$ printf 'remember milk\nnotes\n' | nanoclaw start
> Noted: milk
> 1. milk
$ flock -n store/lock echo nobody holds the lock
> nobody holds the lock
$ printf '\n' | nanoclaw start
$ nanoclaw start
$ echo notes | nanoclaw --json start
> {
>   "answers": [
>     "1. milk"
>   ],
>   "success": true
> }
$ nanoclaw start nowhere
? 2
2> error: there is no group 'nowhere'
2> hint: 'nanoclaw group list' lists them
$ flock -n store/lock echo nobody holds the lock
> nobody holds the lock
$ echo notes | nanoclaw start --stay 2>stay
> 1. milk
$ sed 's/[0-9][0-9]*/N/g' stay
> the host keeps running (pid N); 'kill N' stops it
$ echo notes | nanoclaw start
> 1. milk
$ flock -n store/lock echo nobody || echo still running
> still running
$ kill "$(sed -n "s/.*'kill \([0-9]*\)'.*/\1/p" stay)" && flock store/lock echo it has stopped; rm stay
> it has stopped
$ grep -c 'stopping (signal 15)' logs/host.log
> 5
