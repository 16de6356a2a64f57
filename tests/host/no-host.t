# the commands of the assistant without a host: what works says so, what does not says why
needs: sandbox
ignore: store data container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw group list
> no groups yet: 'nanoclaw start' creates the main one
$ nanoclaw send main hello
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ nanoclaw trace t1
? 2
2> error: this project has no messages yet
$ nanoclaw channel list
> local  down  the host is not running
$ nanoclaw group add 12036@g.us 'Family Chat'
> registered, with the folder 'groups/family-chat'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves '12036@g.us' yet; 'nanoclaw channel list' lists them
$ nanoclaw group add slack:C1 Dev --folder dev --no-trigger --instructions 'Be brief.' --allow U1 --allow U2
> registered, with the folder 'groups/dev'
2> warning: no channel here serves 'slack:C1' yet; 'nanoclaw channel list' lists them
$ nanoclaw group add slack:C1 Again
? 2
2> error: 'slack:C1' is already registered as 'dev'
2> hint: 'nanoclaw group show dev' shows it
$ nanoclaw group add slack:C2 Dev
? 2
2> error: the folder 'dev' belongs to another group
2> hint: name another one with '--folder'
$ nanoclaw group add slack:C2 Evil --folder ../x
? 2
2> error: '../x' cannot be the folder of a group
2> hint: use 1 to 64 letters, digits, '-' and '_'
$ nanoclaw group add 'slack C2' Evil
? 2
2> error: 'slack C2' is not the JID of a chat
2> hint: a JID is like 'slack:C1234567890' or '12036@g.us'; 'nanoclaw channel pair CHANNEL' registers a chat without one
$ nanoclaw group list
> folder       jid         name
> main         local:main  Main
> dev          slack:C1    Dev
> family-chat  12036@g.us  Family Chat
$ nanoclaw group show dev
> Dev
> folder   groups/dev
> jid      slack:C1
> trigger  none: every message is answered
> added    [..]
> allowed  U1
> allowed  U2
> ...
$ nanoclaw group remove dve
? 2
2> error: there is no group 'dve'
2> hint: did you mean 'dev'?
$ nanoclaw group remove dev
? 2
2> error: This deletes everything of the group 'dev': its messages, its session, and 'groups/dev' with its memory. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to delete it
$ nanoclaw group remove family-chat --yes
> 'family-chat' is removed
$ nanoclaw group remove main --yes
? 2
2> error: the main group cannot be removed
2> hint: 'nanoclaw group add JID NAME --folder main' moves it to another chat
$ nanoclaw status
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 2, messages 0, waiting 0, being answered 0
== after ==
-- groups/ [700] --
-- groups/dev/ [700] --
-- groups/dev/CLAUDE.local.md [600] --
Be brief.
-- groups/dev/container.json [600] --
{}
-- groups/dev/logs/ [700] --
-- groups/main/ [700] --
-- groups/main/CLAUDE.local.md [600] --
-- groups/main/container.json [600] --
{}
-- groups/main/logs/ [700] --
