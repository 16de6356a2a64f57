# on a terminal: what an agent says cannot steer it, and an empty line deletes nothing
needs: bwrap script
ignore: logs store data log groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- answer --
{"type":"result","subtype":"success","is_error":false,"result":"\u001b[31mred\n\u001b]0;title\u0007 line 2","session_id":"s1"}
-- agent [755] --
#!/bin/sh
while read -r line; do
	cat /workspace/project/answer
done
-- on-terminal [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- .env --
NANOCLAW_AGENT=../../agent
NANOCLAW_TURN_TRIES=1
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw send main hello --wait
> [1b][31mred
> [1b]]0;title[07] line 2
$ ./on-terminal nanoclaw send main hello --wait
> ?[31mred
> ?]0;title? line 2
> exit 0
$ nanoclaw group add test:1 One
> registered, with the folder 'groups/one'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'test:1' yet; 'nanoclaw channel list' lists them
$ ./on-terminal nanoclaw group remove one
<
> This deletes everything of the group 'one': its messages, its session, and 'groups/one' with its memory.
>   [1] keep it (recommended)
>   [2] delete all of it
> > error: 'one' is kept
> exit 1
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
> one     test:1      One
$ ./on-terminal nanoclaw group remove one
< 2
> This deletes everything of the group 'one': its messages, its session, and 'groups/one' with its memory.
>   [1] keep it (recommended)
>   [2] delete all of it
> > 'one' is removed
> exit 0
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
