# an error instead of an answer is exit 1, also when it comes through a pipe
needs: bwrap
ignore: logs store data log groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
while read -r line; do
	echo '{"type":"result","subtype":"error","is_error":true,"result":"no","session_id":"s1"}'
done
-- .env --
NANOCLAW_AGENT=../../agent
NANOCLAW_TURN_TRIES=1
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ echo hello | nanoclaw chat
? 1
> Sorry, I could not answer this: no (error t1).
$ echo hello | nanoclaw chat --json
? 1
> {
>   "answers": [
>     "Sorry, I could not answer this: no (error t2)."
>   ],
>   "success": false
> }
$ nanoclaw send main hello --wait
? 1
> Sorry, I could not answer this: no (error t3).
