# the offline agent is the default, can be named, and is not asked where another is configured
needs: bwrap
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- agent [755] --
#!/bin/sh
while read -r line; do
	echo '{"type":"result","subtype":"success","is_error":false,"result":"I am another.","session_id":"s1"}'
done
== run ==
$ echo hello | nanoclaw start
> Hello, I am Andy. I keep notes and remind you of things; 'help' says how.
$ echo hello | NANOCLAW_AGENT=offline nanoclaw start
> Hello, I am Andy. I keep notes and remind you of things; 'help' says how.
$ echo hello | NANOCLAW_AGENT=../../agent nanoclaw start
> I am another.
$ nanoclaw group add x:1 Own --folder own --agent offline
> registered, with the folder 'groups/own'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'x:1' yet; 'nanoclaw channel list' lists them
$ echo hello | NANOCLAW_AGENT=../../agent nanoclaw start own
> Hello, I am Andy. I keep notes and remind you of things; 'help' says how.
$ echo hello | NANOCLAW_AGENT=missing-program NANOCLAW_TURN_TRIES=1 nanoclaw start
? 1
> Sorry, I could not answer this: cannot start 'missing-program': program not found (error t5).
