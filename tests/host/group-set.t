# a group changes its name, chat, trigger and senders without losing its memory
ignore: store groups data container
-- .env --
ASSISTANT_NAME=Andy
== run ==
$ nanoclaw group add slack:C1 Family --allow bob
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'slack:C1' yet; 'nanoclaw channel list' lists them
$ nanoclaw group add slack:C2 Work --trigger '!bot'
> registered, with the folder 'groups/work'
> messages that begin with '!bot' are answered
2> warning: no channel here serves 'slack:C2' yet; 'nanoclaw channel list' lists them
$ echo milk >>groups/family/CLAUDE.local.md; nanoclaw task add family --every 1d water
> task 1 is scheduled; it runs next at [..] UTC
$ nanoclaw group set family
? 2
2> error: 'group set' needs something to change
2> hint: 'nanoclaw group set --help' lists the options
$ nanoclaw group set family --name 'The Family' --jid slack:C9
> 'family' is 'The Family' at slack:C9; messages that begin with '@Andy' are answered
2> warning: no channel here serves 'slack:C9' yet; 'nanoclaw channel list' lists them
$ nanoclaw group set slack:C9 --trigger 'hey you' --allow-all
> 'family' is 'The Family' at slack:C9; messages that begin with 'hey you' are answered
$ nanoclaw group set work --jid slack:C9
? 2
2> error: 'slack:C9' is already registered as 'family'
2> hint: 'nanoclaw group show family' shows it
$ nanoclaw group set work --jid local:elsewhere
? 2
2> error: a chat at the terminal is called 'local:' and the folder, here 'local:work'
$ nanoclaw group set main --no-trigger
? 2
2> error: main has no trigger: every message is answered there
$ nanoclaw group set nobody --name x
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw group set work --trigger ' '
? 2
2> error: ' ' cannot be a trigger
2> hint: use a word such as '@Andy'
$ nanoclaw group set work --no-trigger --json
> {
>   "group": {
>     "addedAt": "2001-02-03T04:05:06.000Z",
>     "agent": null,
>     "folder": "work",
>     "isMain": false,
>     "jid": "slack:C2",
>     "name": "Work",
>     "requiresTrigger": false,
>     "trigger": "!bot"
>   },
>   "success": true
> }
$ cat groups/family/CLAUDE.local.md; nanoclaw group list; nanoclaw task list
> milk
> folder  jid         name
> main    local:main  Main
> family  slack:C9    The Family
> work    slack:C2    Work
> id  group   next run[..]schedule  prompt
> 1   family  [..] UTC  every 1d  water
# A new name of the assistant moves triggers that were made from the old one.
$ nanoclaw group add slack:C3 Third; sed -i s/Andy/Mia/ .env; nanoclaw group set third --name 'Number 3'
> registered, with the folder 'groups/third'
> messages that begin with '@Andy' are answered
> 'third' is 'Number 3' at slack:C3; messages that begin with '@Mia' are answered
2> warning: no channel here serves 'slack:C3' yet; 'nanoclaw channel list' lists them
$ nanoclaw group show family | grep trigger; nanoclaw group show work | grep trigger; nanoclaw group show third | grep trigger
> trigger  hey you
> trigger  none: every message is answered
> trigger  @Mia
$ mkdir bridges; echo '{"command": ["x"]}' >bridges/slack.json; nanoclaw group add slack:C4 Fourth
> registered, with the folder 'groups/fourth'
> messages that begin with '@Mia' are answered
== after ==
-- .env --
ASSISTANT_NAME=Mia
-- bridges/slack.json --
{"command": ["x"]}
