# before a pairing a stranger gets no answer, and the owner is told who could pair the chat
needs: sandbox
ignore: logs log code store data groups container
-- bridges/chat.json --
{"command": ["./bridges/chat"]}
-- bridges/chat [755] --
#!/bin/sh
echo '{"type":"hello","protocol":1,"name":"chat","jids":["chat:*"]}'
read -r welcome
echo '{"type":"connected"}'
echo '{"type":"message","id":"1","chat":"chat:1","sender":"7","name":"Ann","text":"hello","group":false}'
echo '{"type":"message","id":"2","chat":"chat:2","sender":"8","name":"Bob","text":"hello","group":false}'
until test -s code; do sleep 0.1; done
echo '{"type":"message","id":"3","chat":"chat:1","sender":"7","text":"'"$(cat code)"'","group":false}'
while read -r line; do
	echo "$line" | grep -o '"text":"This chat[^"]*"' >&2
done
-- .env --
NANOCLAW_AGENT=offline
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ until nanoclaw channel list | grep 'somebody wrote'; do :; done
> chat   connected  somebody wrote and got no answer; if it was you: nanoclaw channel pair chat
$ nanoclaw --json channel list | grep -o '"pair": *"[^"]*"'
> "pair": "nanoclaw channel pair chat"
$ grep -aqs "Somebody wrote on the channel 'chat'" store/nanoclaw.db*
$ nanoclaw channel pair chat | tee out | sed -n 's/.*minutes: //p' >code; rm out
$ while nanoclaw channel list | grep -q 'somebody wrote'; do :; done; nanoclaw channel list | cut -c1-20
> chat   connected  la
> local  connected  la
$ nanoclaw group show main | grep -o 'chat:1'
> chat:1
$ nanoclaw stop
> the host (pid [..]) is stopped
