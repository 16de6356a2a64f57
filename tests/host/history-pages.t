# the history is read page by page, including answers that are not delivered yet
needs: bwrap
ignore: logs store data log groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
while read -r line; do
	echo '{"type":"result","subtype":"success","is_error":false,"result":"yes","session_id":"s1"}'
done
-- .env --
NANOCLAW_AGENT=../../agent
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ printf 'one\ntwo\n' | nanoclaw send main --wait
> yes
$ nanoclaw send main three --wait
> yes
# Nobody waits for this one.
$ nanoclaw send main four
2> sent as '[..]'; 'nanoclaw chat main' shows the answer
$ until nanoclaw trace | grep -q 't3 .*answered'; do :; done
$ nanoclaw history --last 1
> [..]: four
$ nanoclaw history --last 2 --waiting
> [..]: four
> [..]: yes
$ nanoclaw history --last 2 --before "$(nanoclaw history --last 1 --json | sed -n 's/.*"id": "\(.*\)".*/\1/p')"
> [..]: three
> [..]: yes
$ nanoclaw history --before "$(nanoclaw history --last 3 --json | sed -n 's/.*"id": "\(.*\)".*/\1/p' | head -1)"
> [..]: one
> two
> [..]: yes
$ nanoclaw stop
> ...
== after ==
