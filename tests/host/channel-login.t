# 'channel login' runs the program of the bridge on the terminal, with its settings
-- .env --
CHAT_NAME=Andy
OTHER=secret
-- bridges/chat.json --
{
  "command": ["./bridges/chat"],
  "login": ["sh", "bridges/login", "first"],
  "env": ["CHAT_NAME"]
}
-- bridges/login --
echo "$# $* $CHAT_NAME ${OTHER-none}"
read -r line && echo "read: $line"
exit 3
-- bridges/plain.json --
{"command": ["./bridges/chat"]}
-- bridges/wrong.json --
{"command": ["./bridges/chat"], "login": "x"}
== run ==
$ echo hello | nanoclaw channel login chat -- --phone '1 2'
? 3
> 3 first --phone 1 2 Andy none
> read: hello
$ nanoclaw channel login plain
? 2
2> error: the bridge 'plain' has no login: its settings are in '.env'
$ nanoclaw channel login nobody
? 2
2> error: there is no bridge 'nobody'
2> hint: 'nanoclaw channel list' lists them; docs/bridge-protocol.md explains how to write one
$ nanoclaw channel login wrong
? 2
2> error: bridges/wrong.json:1:42: 'login' must be an array of strings
$ nanoclaw --json channel login chat 2>&1 | grep '"error"'
>   "error": "'channel login' is interactive and has no '--json'",
