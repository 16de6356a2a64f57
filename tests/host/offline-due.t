# a reminder that is due says what it was set for; a task that is a command is done; others are named
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw task add main --every 1s 'Reminder: call mum'
> task 1 is scheduled; it runs next at [..]
# Each of these starts and stops a host: missed tasks run at the next start.
$ until echo hello | nanoclaw start | grep -m1 '^Reminder'; do :; done
> Reminder: call mum
$ printf 'cancel 1\nremember milk\n' | nanoclaw start | tail -n 1
> Noted: milk
$ nanoclaw task add main --every 1s 'notes please'
> task 2 is scheduled; it runs next at [..]
$ until echo hello | nanoclaw start | grep -m1 '^1. milk'; do :; done
> 1. milk
$ echo 'cancel 2' | nanoclaw start | tail -n 1
> Cancelled: notes please
$ nanoclaw task add main --every 1s 'write a poem'
> task 3 is scheduled; it runs next at [..]
$ until echo hello | nanoclaw start | grep -m1 'poem'; do :; done
> It is time for this, and I have no model that could do it: write a poem
$ echo 'cancel 3' | nanoclaw start | tail -n 1
> Cancelled: write a poem
