# commands that only read need no .env; a faulty one is named
needs: bwrap
ignore: logs store data groups
-- .env --
KEY="-----BEGIN
two lines
-----END"
ASSISTANT_NAME="  "
== run ==
$ nanoclaw group add test:1 One
? 2
2> error: '@  ' cannot be a trigger
2> hint: it is made from ASSISTANT_NAME; change that in '.env' or in the environment
$ nanoclaw run
? 2
2> error: '@  ' cannot be a trigger
2> hint: it is made from ASSISTANT_NAME; change that in '.env' or in the environment
$ sed -i s/ASSISTANT_NAME=.*/ASSISTANT_NAME=Bob/ .env; nanoclaw group add test:1 One
> registered, with the folder 'groups/one'
> messages that begin with '@Bob' are answered
2> warning: no channel here serves 'test:1' yet; 'nanoclaw channel list' lists them
$ echo 'what is this' >>.env; nanoclaw group list
> folder  jid         name
> main    local:main  Main
> one     test:1      One
2> warning: .env:5:1: not a line like NAME=value
$ nanoclaw trace t1
? 2
2> warning: .env:5:1: not a line like NAME=value
2> error: there is no message or turn 't1'
2> hint: 'nanoclaw trace' lists the last turns; messages of chats that are not registered are not kept
$ nanoclaw status
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 2, messages 0, waiting 0, being answered 0
2> warning: .env:5:1: not a line like NAME=value
$ nanoclaw group add test:2 Two
? 2
2> error: .env:5:1: not a line like NAME=value
2> hint: a value of several lines must be in quotes
== after ==
-- .env --
KEY="-----BEGIN
two lines
-----END"
ASSISTANT_NAME=Bob
what is this
