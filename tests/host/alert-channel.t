# a dead channel is told once by whatever way works, and once more when it is back; never late on the channel itself
needs: sandbox sqlite3
ignore: logs log store data groups container
-- bridges/chat.json --
{"command": ["./bridges/chat"]}
-- bridges/chat [755] --
#!/bin/sh
echo '{"type":"hello","protocol":1,"name":"chat","jids":["chat:*"]}'
read -r welcome
test -e up || exit 3
echo '{"type":"connected"}'
while read -r line; do
	key=$(echo "$line" | sed -n 's/.*"key":"\([^"]*\)".*/\1/p')
	text=$(echo "$line" | sed -n 's/.*"text":"\([^"]*\)".*/\1/p')
	test -n "$key" || continue
	echo "{\"type\":\"receipt\",\"key\":\"$key\"}"
	echo "chat got: $text" >&2
done
-- told.sh [755] --
#!/bin/sh
sed "s/^/$1: /" >>told
-- until [755] --
#!/bin/sh
# A host until its log has this.
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
-- .env --
NANOCLAW_ALERT_SECONDS=1
NANOCLAW_ALERT="./told.sh 'the owner'"
== run ==
# Main is on the terminal, where nobody may be looking: both ways.
$ ./until "'chat' has not been connected since"; until test -s told; do :; done; until nanoclaw channel list | grep -o 'down *since 20.*: it'; do :; done; until nanoclaw doctor | grep -o "'chat' is down since 20.*: it"; do :; done
> 'chat' has not been connected since
> down [..]since [..]: it
> 'chat' is down since [..]: it
$ touch up; until grep -q 'connected again' told; do :; done; nanoclaw stop; cat told; rm told up; sqlite3 store/nanoclaw.db 'SELECT content FROM outbox'
> the host (pid [..]) is stopped
> the owner: The channel 'chat' has not been connected since [..].
> the owner: The channel 'chat' is connected again. It was not since [..].
> The channel 'chat' has not been connected since [..].
> The channel 'chat' is connected again. It was not since [..].
# Main is on the channel that is dead: the command alone, and the chat once it is back.
$ sqlite3 store/nanoclaw.db 'DELETE FROM outbox'; nanoclaw -q group add chat:1 Me --folder main; ./until "'chat' has not been connected since"; until test -s told; do :; done; sqlite3 store/nanoclaw.db 'SELECT content FROM outbox'
> main is now at chat:1
> 'chat' has not been connected since
$ nanoclaw stop | grep -o stopped; cat told; rm told
> stopped
> the owner: The channel 'chat' has not been connected since [..].
# Without the command, too, nothing waits to arrive late.
$ sed -i 2d .env; ./until "'chat' has not been connected since"; touch up; until test "$(sqlite3 store/nanoclaw.db "SELECT count(*) FROM outbox WHERE state = 'sent'")" = 1; do :; done; nanoclaw stop | grep -o stopped; sqlite3 store/nanoclaw.db 'SELECT content FROM outbox'; rm up
> 'chat' has not been connected since
> stopped
> The channel 'chat' is connected again. It was not since [..].
== after ==
-- .env --
NANOCLAW_ALERT_SECONDS=1
