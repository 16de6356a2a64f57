# the news of a dead channel is repeated until a way has worked: past a command that fails or hangs, and when main's chat is back
needs: sandbox sqlite3
ignore: logs log store data groups container told
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
-- bridges/other.json --
{"command": ["./bridges/other"]}
-- bridges/other [755] --
#!/bin/sh
exit 3
-- told.sh [755] --
#!/bin/sh
# Fails, then hangs, then works.
mkdir failed 2>/dev/null && exit 1
mkdir hung 2>/dev/null && exec sleep 1000
cat >>told
-- until [755] --
#!/bin/sh
# A host until its log has this.
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
-- .env --
NANOCLAW_ALERT_SECONDS=1
NANOCLAW_ALERT=./told.sh
== run ==
# Both ways, and the chat only once.
$ touch up; ./until "'other' has not been connected since"; until test -s told; do :; done; nanoclaw stop | grep -o stopped; grep -c "'other'" told; sqlite3 store/nanoclaw.db "SELECT count(*) FROM outbox; DELETE FROM outbox"; rmdir failed hung; rm up told
> 'other' has not been connected since
> stopped
> 1
> 1
# Main's channel is dead as well, and there is no command: then as soon as it is back.
$ sed -i 2d .env; nanoclaw -q group add chat:1 Me --folder main; ./until "'other' has not been connected since"; touch up; until sqlite3 store/nanoclaw.db "SELECT content FROM outbox WHERE state = 'sent'" | grep -o "'other' has not been connected since"; do :; done; nanoclaw stop | grep -o stopped; rm up
> main is now at chat:1
> 'other' has not been connected since
> 'other' has not been connected since
> stopped
== after ==
-- .env --
NANOCLAW_ALERT_SECONDS=1
