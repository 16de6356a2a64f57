# main gets another chat at any time, also the terminal again, and nothing is ignored silently
ignore: store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw group add 111@g.us Wrong --folder main
> main is now at 111@g.us
2> warning: no channel here serves '111@g.us' yet; 'nanoclaw channel list' lists them
$ nanoclaw group add 222@g.us Right --folder main --agent ./agent --allow U1
> main is now at 222@g.us
2> warning: no channel here serves '222@g.us' yet; 'nanoclaw channel list' lists them
$ nanoclaw group show main
> Right  (main)
> folder   groups/main
> jid      222@g.us
> trigger  none: every message is answered
> added    [..]
> agent    ./agent
> allowed  U1
> ...
$ nanoclaw group add 222@g.us Right --folder main
? 2
2> error: '222@g.us' is already registered as 'main'
2> hint: 'nanoclaw group show main' shows it
$ nanoclaw group add 333@g.us Main --folder main --trigger @me
? 2
2> error: main has no trigger: every message is answered there
$ nanoclaw group add 333@g.us Main --folder main --instructions 'Be brief.'
? 2
2> error: main has a memory already
2> hint: write it in 'groups/main/CLAUDE.local.md'
$ nanoclaw group remove main --yes
? 2
2> error: the main group cannot be removed
2> hint: 'nanoclaw group add JID NAME --folder main' moves it to another chat
$ nanoclaw group add local:main Main --folder main
> main is now at local:main
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
