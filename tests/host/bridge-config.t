# a bridge with a faulty file is reported with its place, and the host and other bridges work
needs: bwrap
ignore: logs log store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- bridges/a.json --
{"command":
  [1
-- bridges/b.json --
{
  "command": ["./bridges/chat"]
}
-- bridges/c.json --
{
  "command": ["./bridges/chat"],
  "env": "TOKEN"
}
-- bridges/chat [755] --
#!/bin/sh
echo '{"type":"hello","protocol":1,"name":"chat","jids":["chat:*"]}'
echo '{"type":"connected"}'
while read -r line; do
	case $line in *'"ping"'*) echo '{"type":"pong"}' ;; esac
done
-- bridges/local.json --
{"command": ["./bridges/chat"]}
-- bridges/we ird.json --
{"command": ["./bridges/chat"]}
== run ==
$ nanoclaw channel list
> local   down  the host is not running
> a       down  bridges/a.json:3:1: ']' expected near end of file
> b       down  the host is not running
> c       down  bridges/c.json:3:10: 'env' must be an array of names
> local   down  'bridges/local.json': a bridge cannot be called 'local'
> we ird  down  'bridges/we ird.json': the name of a bridge is 1 to 64 letters, digits, '-' and '_'
$ nanoclaw channel list --json | grep 'success\|detail.*a.json'
>       "detail": "bridges/a.json:3:1: ']' expected near end of file",
>   "success": true
$ mkfifo log && (nanoclaw run 2>log &) && grep -m4 "^error" log
> error: bridge 'a' is not started: bridges/a.json:3:1: ']' expected near end of file; correct the file, then restart the host
> error: bridge 'c' is not started: bridges/c.json:3:10: 'env' must be an array of names; correct the file, then restart the host
> error: bridge 'local' is not started: 'bridges/local.json': a bridge cannot be called 'local'; correct the file, then restart the host
> error: bridge 'we ird' is not started: 'bridges/we ird.json': the name of a bridge is 1 to 64 letters, digits, '-' and '_'; correct the file, then restart the host
$ until nanoclaw channel list | grep 'b  *connected'; do :; done
> b       connected  last event just now
$ nanoclaw channel list
> a       down       bridges/a.json:3:1: ']' expected near end of file
> b       connected  last event just now
> c       down       bridges/c.json:3:10: 'env' must be an array of names
> local   down       'bridges/local.json': a bridge cannot be called 'local'
> we ird  down       'bridges/we ird.json': the name of a bridge is 1 to 64 letters, digits, '-' and '_'
> local   connected  last event just now
$ nanoclaw channel list --json | grep 'success\|detail.*a.json'
>       "detail": "bridges/a.json:3:1: ']' expected near end of file",
>   "success": true
$ nanoclaw send main 'what time is it' --wait >answer && test -s answer && rm answer
$ nanoclaw doctor | grep bridges/
> problem  bridges      bridges/a.json:3:1: ']' expected near end of file
> problem  bridges      bridges/c.json:3:10: 'env' must be an array of names
> problem  bridges      'bridges/local.json': a bridge cannot be called 'local'
> problem  bridges      'bridges/we ird.json': the name of a bridge is 1 to 64 letters, digits, '-' and '_'
> problem  channels     'a' is down: bridges/a.json:3:1: ']' expected near end of file
> problem  channels     'c' is down: bridges/c.json:3:10: 'env' must be an array of names
> problem  channels     'local' is down: 'bridges/local.json': a bridge cannot be called 'local'
> problem  channels     'we ird' is down: 'bridges/we ird.json': the name of a bridge is 1 to 64 letters, digits, '-' and '_'
$ nanoclaw stop
> the host (pid [..]) is stopped
$ mv bridges away && echo x >bridges && nanoclaw channel list
? 2
2> error: cannot open folder 'bridges': not a directory
$ rm bridges && mv away bridges
