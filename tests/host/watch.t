# watch shows the host's work as it happens; a stopped turn is not tried again
needs: bwrap
ignore: logs store data log seen groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
while read -r line; do
	case $line in *hang*) read -r forever ;; esac
	echo '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"You are "}}}'
	echo '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"welcome."}}}'
	echo '{"type":"assistant","message":{"content":[{"type":"text","text":"You are welcome."},{"type":"tool_use","name":"Bash","input":{}}]}}'
	echo '{"type":"result","subtype":"success","is_error":false,"result":"You are welcome.","session_id":"s1"}'
done
-- .env --
NANOCLAW_AGENT=../../agent
== run ==
$ nanoclaw watch
? 1
2> error: the assistant's host is not running here
2> hint: [..]
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ (nanoclaw watch >seen 2>/dev/null &) && until grep -qs hello seen; do :; done
$ nanoclaw send main 'thank you' --wait
> You are welcome.
$ nanoclaw turn stop t1
? 2
2> error: no agent is working on a turn 't1'
2> hint: 'nanoclaw trace' lists the latest turns
$ (nanoclaw send main 'hang' --wait >/dev/null &) && until grep -q 'turn begun main t2' seen; do :; done
$ nanoclaw turn stop t2
> stopped; the chat gets an error as the answer
$ until grep -q 'turn failed main t2' seen; do :; done
$ nanoclaw task add main --every 1h "water the plants" >/dev/null
$ nanoclaw stop >/dev/null
$ grep -v '^sent\|^channel' seen
> hello
> message main
> turn begun main t1
> text main t1 You are welcome.
> step main t1 Bash {}
> text main t1
> turn answered main t1
> message main
> turn begun main t2
> changed stop_turn
> text main t2
> turn failed main t2
> changed schedule_task
== after ==
