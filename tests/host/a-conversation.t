# a host, a message, an answer; and the same without a client that waits
needs: bwrap
ignore: logs store data log groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
echo '{"type":"system","subtype":"init","session_id":"s1"}'
while read -r line; do
	echo '{"type":"result","subtype":"success","is_error":false,"result":"You are welcome.","session_id":"s1"}'
done
-- .env --
NANOCLAW_AGENT=../../agent
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw send main 'thank you' --wait
> You are welcome.
$ nanoclaw send main again
2> sent as '[..]'; 'nanoclaw chat main' shows the answer
$ printf 'one\n\ntwo\n' | nanoclaw chat
> You are welcome.
> You are welcome.
> You are welcome.
$ nanoclaw send nowhere hello
? 2
2> error: there is no group 'nowhere'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw run
? 4
2> error: a host is already running in '[dir]'
2> hint: 'nanoclaw status' shows it
$ nanoclaw group show main
> Main  (main)
> folder   groups/main
> jid      local:main
> trigger  none: every message is answered
> added    [..]
> session  s1, 4 turns
> ...
$ nanoclaw trace t1
> [..]  received  message '[..]' from [..] in 'local:main'
> [..]  claimed   turn t1 of group 'main', 1 message
> [..]  attempt   number 1
> [..]  answered
> [..]  sent      answer 1 of 1, key [..]: 'You are welcome.'
> now: delivered
$ nanoclaw trace 1
? 2
2> error: there is no message or turn '1'
2> hint: did you mean the turn 't1'?
$ nanoclaw channel list
> local  connected  last event just now
$ nanoclaw status
> no skills have been applied here
> assistant: running (pid [..])
>   channel local is connected
>   groups 1, messages 4, waiting 0, being answered 0
