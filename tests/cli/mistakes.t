# common typing mistakes get a helpful hint, and create nothing
== run ==
$ nanoclaw about
? 2
2> error: 'about' is not a nanoclaw command
2> hint: did you mean 'nanoclaw version'?
$ nanoclaw add telegram
? 2
2> error: 'add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw apply telegram
? 2
2> error: 'apply' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw ask hello
? 2
2> error: 'ask' is not a nanoclaw command
2> hint: did you mean 'nanoclaw send'?
$ nanoclaw blame
? 2
2> error: 'blame' is not a nanoclaw command
2> hint: did you mean 'nanoclaw diff --by'?
$ nanoclaw cancel
? 2
2> error: 'cancel' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task cancel'? 'nanoclaw abort' undoes a paused operation
$ nanoclaw channel remove matrix
? 2
2> error: 'channel remove' is not a nanoclaw command
2> hint: did you mean 'nanoclaw channel list'? delete 'bridges/NAME.json' to remove a bridge
$ nanoclaw channels
? 2
2> error: 'channels' is not a nanoclaw command
2> hint: did you mean 'nanoclaw channel list'?
$ nanoclaw check
? 2
2> error: 'check' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor'? 'nanoclaw skill check' is for packages
$ nanoclaw commands
? 2
2> error: 'commands' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help --all'?
$ nanoclaw commit
? 2
2> error: 'commit' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize record'?
$ nanoclaw config
? 2
2> error: 'config' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group config'? settings of the assistant are in '.env'
$ nanoclaw cost
? 2
2> error: 'cost' is not a nanoclaw command
2> hint: did you mean 'nanoclaw usage'?
$ nanoclaw cron
? 2
2> error: 'cron' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task add'?
$ nanoclaw customise list
? 2
2> error: 'customise' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize list'?
$ nanoclaw customize
? 2
> usage: nanoclaw customize <command> [...]
>
>   customize abort   stop customizing without recording anything
>   customize apply   apply a recorded custom patch again
>   customize commit  record the changes since 'customize start'
>   customize list    list the recorded custom patches, with their files
>   customize record  record changes that you have already made
>   customize remove  remove a custom patch from your files
>   customize rename  change the description of a custom patch, and its name to match
>   customize show    show a custom patch and its note
>   customize start   start recording your changes
$ nanoclaw customize add x
? 2
2> error: 'customize add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize start'?
$ nanoclaw customize delete 1
? 2
2> error: 'customize delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize remove'?
$ nanoclaw customize end
? 2
2> error: 'customize end' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize commit'?
$ nanoclaw customize remove 1
? 2
2> error: there is no custom patch '1'
2> hint: 'nanoclaw customize list' shows the patches that are recorded
$ nanoclaw customize rename 1
? 2
2> error: 'customize rename' needs <patch> <description>
2> hint: see 'nanoclaw customize rename --help'
$ nanoclaw customize rename 1 x
? 2
2> error: there is no custom patch '1'
2> hint: 'nanoclaw customize list' shows the patches that are recorded
$ nanoclaw customize save x
? 2
2> error: 'customize save' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize record'?
$ nanoclaw customize show 1
? 2
2> error: there is no custom patch '1'
2> hint: 'nanoclaw customize list' shows the patches that are recorded
$ nanoclaw customize status
? 2
2> error: 'customize status' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'? it shows what you are customizing
$ nanoclaw customize stop
? 2
2> error: 'customize stop' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize abort'?
$ nanoclaw debug
? 2
2> error: 'debug' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor'?
$ nanoclaw delete telegram
? 2
2> error: 'delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw disable telegram
? 2
2> error: 'disable' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw docter
? 2
2> error: 'docter' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor'?
$ nanoclaw down
? 2
2> error: 'down' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'?
$ nanoclaw enable telegram
? 2
2> error: 'enable' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw exit
? 2
2> error: 'exit' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'?
$ nanoclaw explain t1
? 2
2> error: 'explain' is not a nanoclaw command
2> hint: did you mean 'nanoclaw trace'?
$ nanoclaw export
? 2
2> error: 'export' is not a nanoclaw command
2> hint: did you mean 'nanoclaw backup'?
$ nanoclaw fix
? 2
2> error: 'fix' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor --fix'?
$ nanoclaw follow
? 2
2> error: 'follow' is not a nanoclaw command
2> hint: did you mean 'nanoclaw logs -f'?
$ nanoclaw foo
? 2
2> error: 'foo' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw grop list
? 2
2> error: 'grop' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group list'?
$ nanoclaw group
? 2
> usage: nanoclaw group <command> [...]
>
>   group add     register a chat as a group
>   group config  show or change the settings of a group's agent
>   group list    list the groups, also in the bin, or chats that can become one
>   group remove  remove a group and all its data
>   group set     change the name, chat, trigger or allowed senders of a group
>   group show    show a group, its session, and what its agent reads
$ nanoclaw group create x
? 2
2> error: 'group create' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group add'?
$ nanoclaw group delete x
? 2
2> error: 'group delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group remove'?
$ nanoclaw group edit x
? 2
2> error: 'group edit' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group set'?
$ nanoclaw group info x
? 2
2> error: 'group info' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group show'?
$ nanoclaw group new x
? 2
2> error: 'group new' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group add'?
$ nanoclaw group remove x
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw group rename x y
? 2
2> error: 'group rename' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group set --name'?
$ nanoclaw group set
? 2
2> error: 'group set' needs <group>
2> hint: see 'nanoclaw group set --help'
$ nanoclaw group set x
? 2
2> error: 'group set' needs something to change
2> hint: 'nanoclaw group set --help' lists the options
$ nanoclaw group set x --name y
? 2
2> error: there is no group 'x'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw group show
? 2
2> error: 'group show' needs <group>
2> hint: see 'nanoclaw group show --help'
$ nanoclaw group show x
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw groups
? 2
2> error: 'groups' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group list'?
$ nanoclaw health
? 2
2> error: 'health' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor'?
$ nanoclaw helpp
? 2
2> error: 'helpp' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help'?
$ nanoclaw info
? 2
2> error: 'info' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'? 'nanoclaw skill show' is about one skill
$ nanoclaw init --core-version x
? 2
2> error: '--core-version': version 'x' is not of the form 1.2.3
$ nanoclaw init extra
? 2
2> error: 'init': unexpected argument 'extra'
2> hint: see 'nanoclaw init --help'
$ nanoclaw install telegram
? 2
2> error: 'install' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'? 'nanoclaw service install' runs the assistant at boot
$ nanoclaw instal telegram
? 2
2> error: 'instal' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'? 'nanoclaw service install' runs the assistant at boot
$ nanoclaw jobs
? 2
2> error: 'jobs' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task list'?
$ nanoclaw kill
? 2
2> error: 'kill' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'?
$ nanoclaw launch
? 2
2> error: 'launch' is not a nanoclaw command
2> hint: did you mean 'nanoclaw start'?
$ nanoclaw list
? 2
2> error: 'list' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'?
$ nanoclaw lint
? 2
2> error: 'lint' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill check'?
$ nanoclaw log
? 2
2> error: 'log' is not a nanoclaw command
2> hint: did you mean 'nanoclaw logs'?
$ nanoclaw log -f
? 2
2> error: 'log' is not a nanoclaw command
2> hint: did you mean 'nanoclaw logs'?
$ nanoclaw logs --last x
? 2
2> error: '--last' takes a number from 0 to 100000, not 'x'
$ nanoclaw logs nonsense
? 2
2> error: 'logs': unexpected argument 'nonsense'
2> hint: see 'nanoclaw logs --help'
$ nanoclaw ls
? 2
2> error: 'ls' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'?
$ nanoclaw matrix runn
? 2
2> error: 'matrix': unexpected argument 'runn'
2> hint: see 'nanoclaw matrix --help'
$ nanoclaw messages
? 2
2> error: 'messages' is not a nanoclaw command
2> hint: did you mean 'nanoclaw history'?
$ nanoclaw message hi
? 2
2> error: 'message' is not a nanoclaw command
2> hint: did you mean 'nanoclaw send'?
$ nanoclaw new
? 2
2> error: 'new' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill new'?
$ nanoclaw open
? 2
2> error: 'open' is not a nanoclaw command
2> hint: did you mean 'nanoclaw chat'?
$ nanoclaw patches
? 2
2> error: 'patches' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize list'?
$ nanoclaw ping
? 2
2> error: 'ping' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'?
$ nanoclaw ps
? 2
2> error: 'ps' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'?
$ nanoclaw quit
? 2
2> error: 'quit' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'?
$ nanoclaw rebase nowhere
? 2
2> error: not a terminal, cannot ask whether to update the core and rebase
2> hint: 'nanoclaw update nowhere --preview' shows what the new core changes; '--yes' does both
$ nanoclaw record x
? 2
2> error: 'record' is not a nanoclaw command
2> hint: did you mean 'nanoclaw customize record'?
$ nanoclaw register x
? 2
2> error: 'register' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group add'?
$ nanoclaw reload
? 2
2> error: 'reload' is not a nanoclaw command
2> hint: did you mean 'nanoclaw restart'?
$ nanoclaw remind me
? 2
2> error: 'remind' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task add'? in a chat, say 'remind me to …'
$ nanoclaw reminders
? 2
2> error: 'reminders' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task list'?
$ nanoclaw remove telegram
? 2
2> error: 'remove' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw repair
? 2
2> error: 'repair' is not a nanoclaw command
2> hint: did you mean 'nanoclaw doctor --fix'?
$ nanoclaw replay --state nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
2> hint: '--state' takes the state.yaml of an installation
$ nanoclaw resolve
? 2
2> error: 'resolve' is not a nanoclaw command
2> hint: did you mean 'nanoclaw continue'? it walks through the conflicts
$ nanoclaw resolution
? 2
> usage: nanoclaw resolution <command> [...]
>
>   resolution check   show every fault in recorded resolutions, with its position
>   resolution import  import recorded resolutions from somebody else
>   resolution list    list recorded resolutions
>   resolution record  record how the last conflict was resolved, to share it
$ nanoclaw resolution show
? 2
2> error: 'resolution show' is not a nanoclaw command
2> hint: 'nanoclaw help resolution' lists its commands
$ nanoclaw restart
? 1
2> error: no host is running here
2> hint: 'nanoclaw start' or 'nanoclaw run' starts one
$ nanoclaw restore
? 2
2> error: name either a file or '--undo'
2> hint: see 'nanoclaw restore --help'
$ nanoclaw restore .
? 2
2> error: '.' is a folder, not a backup
$ nanoclaw restore nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw resume
? 2
2> error: 'resume' is not a nanoclaw command
2> hint: did you mean 'nanoclaw continue'? 'nanoclaw task resume' is for tasks
$ nanoclaw revert
? 2
2> error: 'revert' is not a nanoclaw command
2> hint: did you mean 'nanoclaw undo'?
$ nanoclaw rm telegram
? 2
2> error: 'rm' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw rollback
? 2
2> error: 'rollback' is not a nanoclaw command
2> hint: did you mean 'nanoclaw undo'?
$ nanoclaw run --port 80
? 2
2> error: unknown option '--port'
2> hint: 'nanoclaw run --help' shows the options
$ nanoclaw save
? 2
2> error: 'save' is not a nanoclaw command
2> hint: did you mean 'nanoclaw backup'?
$ nanoclaw say hi
? 2
2> error: 'say' is not a nanoclaw command
2> hint: did you mean 'nanoclaw send'?
$ nanoclaw schedule
? 2
2> error: 'schedule' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task add'?
$ nanoclaw search telegram
? 2
2> error: 'search' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'? it lists every skill with its description
$ nanoclaw send
? 2
2> error: 'send' needs <group>
2> hint: see 'nanoclaw send --help'
$ nanoclaw send main
? 2
2> error: the message is empty
2> hint: 'nanoclaw send GROUP TEXT', as in 'nanoclaw send main hello'
$ nanoclaw send main hello
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ nanoclaw send nobody hello
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ nanoclaw serve
? 2
2> error: 'serve' is not a nanoclaw command
2> hint: did you mean 'nanoclaw run'?
$ nanoclaw service start
? 2
2> error: 'service start' is not a nanoclaw command
2> hint: did you mean 'nanoclaw service install'?
$ nanoclaw service stop
? 2
2> error: 'service stop' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'? 'nanoclaw service remove' also removes the unit
$ nanoclaw settings
? 2
2> error: 'settings' is not a nanoclaw command
2> hint: did you mean 'nanoclaw group config'? settings of the assistant are in '.env'
$ nanoclaw shell
? 2
2> error: 'shell' is not a nanoclaw command
2> hint: did you mean 'nanoclaw chat'?
$ nanoclaw show telegram
? 2
2> error: 'show' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill show'?
$ nanoclaw skill
? 2
> usage: nanoclaw skill <command> [...]
>
>   skill apply    apply skills to this project, all or nothing
>   skill check    show every fault in skill packages, with its position
>   skill list     list available and applied skills
>   skill new      create a skill package, empty or from changes
>   skill refresh  bring packages up to the current core
>   skill remove   remove an applied skill
>   skill show     show what a skill package would do
>   skill update   apply newer packages of applied skills
$ nanoclaw skill add telegram
? 2
2> error: 'skill add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw skill apply
? 2
2> error: 'skill apply' needs <skill>...
2> hint: see 'nanoclaw skill apply --help'
$ nanoclaw skill apply telegram
? 2
2> error: there is no skill 'telegram'
2> hint: 'nanoclaw skill list' shows the skills of this project
$ nanoclaw skill check nowhere
? 2
> nowhere: error: cannot open package 'nowhere': no such file or directory
> 1 package checked: 1 error, 0 warnings
$ nanoclaw skill create x
? 2
2> error: 'skill create' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill new'?
$ nanoclaw skill delete telegram
? 2
2> error: 'skill delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw skill info telegram
? 2
2> error: 'skill info' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill show'?
$ nanoclaw skill install telegram
? 2
2> error: 'skill install' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw skill lst
? 2
2> error: 'skill lst' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'?
$ nanoclaw skill new
? 2
2> error: 'skill new' needs <name>
2> hint: see 'nanoclaw skill new --help'
$ nanoclaw skill new Bad_Name!
? 2
2> error: the skill's name 'Bad_Name!' may have letters, digits and '._-' only
2> hint: a name such as 'telegram' or 'quiet-hours'
$ nanoclaw skill refresh nowhere
? 2
2> error: there is no skill 'nowhere'
2> hint: 'nanoclaw skill list' shows the skills of this project
$ nanoclaw skill remove telegram
? 2
2> error: skill 'telegram' is not applied
2> hint: 'nanoclaw skill list' shows the skills that are
$ nanoclaw skill rm telegram
? 2
2> error: 'skill rm' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw skill search x
? 2
2> error: 'skill search' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'? it lists every skill with its description
$ nanoclaw skill show telegram
? 2
2> error: there is no skill 'telegram'
2> hint: 'nanoclaw skill list' shows the skills of this project
$ nanoclaw skill uninstall telegram
? 2
2> error: 'skill uninstall' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw skill update telegram
? 2
2> error: there is no skill 'telegram'
2> hint: 'nanoclaw skill list' shows the skills of this project
$ nanoclaw skill upgrade
? 2
2> error: 'skill upgrade' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill update'?
$ nanoclaw skills
? 2
2> error: 'skills' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill list'?
$ nanoclaw stat
? 2
2> error: 'stat' is not a nanoclaw command
2> hint: did you mean 'nanoclaw start'?
$ nanoclaw statsu
? 2
2> error: 'statsu' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'?
$ nanoclaw status extra
? 2
2> error: 'status': unexpected argument 'extra'
2> hint: see 'nanoclaw status --help'
$ nanoclaw stopp
? 2
2> error: 'stopp' is not a nanoclaw command
2> hint: did you mean 'nanoclaw stop'?
$ nanoclaw tail
? 2
2> error: 'tail' is not a nanoclaw command
2> hint: did you mean 'nanoclaw logs -f'?
$ nanoclaw talk
? 2
2> error: 'talk' is not a nanoclaw command
2> hint: did you mean 'nanoclaw chat'?
$ nanoclaw task add
? 2
2> error: 'task add' needs <group> <prompt>
2> hint: see 'nanoclaw task add --help'
$ nanoclaw task add main
? 2
2> error: 'task add' needs <group> <prompt>
2> hint: see 'nanoclaw task add --help'
$ nanoclaw task add main hello
? 2
2> error: one of '--cron', '--every' and '--at' is required
2> hint: "--cron '0 9 * * *'" is nine every day, '--every 2h' is every two hours
$ nanoclaw task add main --every soon hello
? 2
2> error: 'soon' is not a duration
2> hint: write it as 30s, 15m, 2h, 1d, 1w or 1h30m
$ nanoclaw task add main --cron nonsense hello
? 2
2> error: a cron expression has five fields (minute, hour, day, month, weekday), not 1
2> hint: at nine every day is '0 9 * * *'
$ nanoclaw task add main --at nonsense hello
? 2
2> error: 'nonsense' is not a date with a time
2> hint: write it as 2026-11-17T09:00, or with an offset: 2026-11-17T09:00+01:00
$ nanoclaw task add main --every 1h
? 2
2> error: 'task add' needs <group> <prompt>
2> hint: see 'nanoclaw task add --help'
$ nanoclaw task add nobody --every 1h hello
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw task add main --every 1h --tz Nowhere/City hello
? 2
2> error: there is no time zone 'Nowhere/City'
2> hint: name a city, such as 'Europe/Berlin' or 'America/New_York'
$ nanoclaw task cancel
? 2
2> error: 'task cancel' needs <id>
2> hint: see 'nanoclaw task cancel --help'
$ nanoclaw task cancel 99
? 2
2> error: there is no task '99'
2> hint: 'nanoclaw task list' shows them
$ nanoclaw task delete 1
? 2
2> error: 'task delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task cancel'?
$ nanoclaw task list --group nobody
? 2
2> error: unknown option '--group'
2> hint: 'nanoclaw task list --help' shows the options
$ nanoclaw task new
? 2
2> error: 'task new' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task add'?
$ nanoclaw task pause 99
? 2
2> error: there is no task '99'
2> hint: 'nanoclaw task list' shows them
$ nanoclaw task rm 1
? 2
2> error: 'task rm' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task cancel'?
$ nanoclaw task runs 99
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw task show 1
? 2
2> error: 'task show' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task runs'?
$ nanoclaw tasks
? 2
2> error: 'tasks' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task list'?
$ nanoclaw test
? 2
2> error: 'test' is not a nanoclaw command
2> hint: did you mean 'nanoclaw verify'? 'nanoclaw matrix run' tests combinations of skills
$ nanoclaw tokens
? 2
2> error: 'tokens' is not a nanoclaw command
2> hint: did you mean 'nanoclaw usage'?
$ nanoclaw trace t99
? 2
2> error: this project has no messages yet
$ nanoclaw trace
> this project has no messages yet
$ nanoclaw trace nonsense
? 2
2> error: this project has no messages yet
$ nanoclaw uninstall telegram
? 2
2> error: 'uninstall' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill remove'?
$ nanoclaw undo 1 2
? 2
2> error: 'undo': unexpected argument '2'
2> hint: see 'nanoclaw undo --help'
$ nanoclaw undo
? 2
2> error: there is nothing to undo
$ nanoclaw update
? 2
2> error: nothing records where the core of '[dir]' comes from
2> hint: name a folder with the new core, an update package or a git ref: 'nanoclaw update SOURCE'
$ nanoclaw update nowhere
? 2
2> error: there is no core to update: the project is not initialized
2> hint: 'nanoclaw init' saves the core as it is now
$ nanoclaw upgrade
? 2
2> error: 'upgrade' is not a nanoclaw command
2> hint: did you mean 'nanoclaw update'?
$ nanoclaw usage nobody
? 2
2> error: this project has no usage yet
2> hint: 'nanoclaw start' starts the assistant
$ nanoclaw user-skill
? 2
> usage: nanoclaw user-skill <command> [...]
>
>   user-skill assign    give a user skill to a group
>   user-skill check     show every fault in user skills, with its line
>   user-skill export    print a user skill, or write it to a file
>   user-skill import    import a user skill from a file into the store
>   user-skill list      list user skills: what the assistant can do for a person
>   user-skill override  give a group its own variant of a user skill
>   user-skill remove    delete an imported user skill from the store
>   user-skill retire    take a user skill out of use
>   user-skill run       run a user skill in a group
>   user-skill show      show a user skill, its origin, and its results
>   user-skill status    change the status of a user skill
>   user-skill sync      load the library's files into the store
>   user-skill unassign  take a user skill away from a group
$ nanoclaw user-skill add x
? 2
2> error: 'user-skill add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw user-skill import'?
$ nanoclaw user-skill check nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw user-skill delete x
? 2
2> error: 'user-skill delete' is not a nanoclaw command
2> hint: did you mean 'nanoclaw user-skill remove'?
$ nanoclaw user-skill import nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw user-skill remove x
? 2
2> error: there is no user skill 'x'
2> hint: 'nanoclaw user-skill sync' reads the ones in 'skills/'
$ nanoclaw user-skill run x y
? 2
2> error: there are no user skills yet
2> hint: 'nanoclaw user-skill sync' loads the ones in 'skills/'
$ nanoclaw user-skill show x
? 2
2> error: there are no user skills yet
2> hint: 'nanoclaw user-skill sync' loads the ones in 'skills/'
$ nanoclaw user-skills
? 2
2> error: 'user-skills' is not a nanoclaw command
2> hint: did you mean 'nanoclaw user-skill list'?
$ nanoclaw validate
? 2
2> error: 'validate' is not a nanoclaw command
2> hint: did you mean 'nanoclaw verify'?
$ nanoclaw verify extra
? 2
2> error: 'verify': unexpected argument 'extra'
2> hint: see 'nanoclaw verify --help'
$ nanoclaw version --bogus
? 2
2> error: unknown option '--bogus'
2> hint: 'nanoclaw version --help' shows the options
$ nanoclaw --bogus
? 2
2> error: unknown option '--bogus'
2> hint: 'nanoclaw --help' shows the options
$ nanoclaw --jsn status
? 2
2> error: unknown option '--jsn'
2> hint: did you mean '--json'?
$ nanoclaw -x
? 2
2> error: unknown option '-x'
2> hint: 'nanoclaw --help' shows the options
$ nanoclaw -C nowhere status
? 2
2> error: cannot work in 'nowhere': no such file or directory
$ nanoclaw whoami
? 2
2> error: 'whoami' is not a nanoclaw command
2> hint: did you mean 'nanoclaw status'?
$ nanoclaw history nobody
> nothing has been said yet
$ nanoclaw audit nobody
> no agent has made a call yet
$ nanoclaw backup
? 2
2> error: 'backup' needs <file>, or '--every'
2> hint: see 'nanoclaw backup --help'
$ nanoclaw backup nowhere/deep/file
? 1
2> error: cannot open the folder of 'nowhere/deep/file': no such file or directory
$ nanoclaw import nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw chat
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ nanoclaw chat nobody
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ nanoclaw compose nobody
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw channel
? 2
> usage: nanoclaw channel <command> [...]
>
>   channel list   list the channels and their state
>   channel login  log in to a chat platform on this terminal
>   channel pair   get a code that connects a chat to a group
$ nanoclaw completion tcsh
? 2
2> error: no completions for the shell 'tcsh'
2> hint: there are completions for bash[..]zsh
$ nanoclaw continue
? 2
2> error: no operation is paused: there is nothing to continue
$ nanoclaw abort
? 2
2> error: no operation is paused
$ nanoclaw diff nowhere
? 2
2> error: nothing is recorded in '[dir]'
2> hint: 'nanoclaw init' records the core as it is now
$ nanoclaw help foo
? 2
2> error: 'foo' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw help skill add
? 2
2> error: 'skill add' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help skill apply'?
$ nanoclaw help blame
? 2
2> error: 'blame' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help diff'?
$ nanoclaw merge-file a b c
? 255
2> error: cannot open 'a': no such file or directory
# Every command that a hint names is there.
$ for word in abort about add apply ask audit backup blame cancel channel channels chat check commands commit completion compose config continue cost cron customise customize debug delete diff disable docter down enable exit explain export fix follow foo grop group groups health help helpp history import info init instal install jobs kill launch lint list log logs ls matrix merge-file message messages new open patches ping ps quit rebase record register reload remind reminders remove repair replay resolution resolve restart restore resume revert rm rollback run save say schedule search send serve service settings shell show skill skills stat statsu status stopp tail talk task tasks test tokens trace undo uninstall update upgrade usage user-skill user-skills validate verify version whoami; do nanoclaw help $word 2>&1 | sed -n "s/.*did you mean 'nanoclaw help \\([a-z -]*\\)'.*/\\1/p" | while read -r command; do nanoclaw help $command >/dev/null || echo "$word: $command"; done; done
$ nanoclaw skil add telegram
? 2
2> error: 'skil' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply'?
$ nanoclaw taks lst
? 2
2> error: 'taks' is not a nanoclaw command
2> hint: did you mean 'nanoclaw task list'?
$ nanoclaw grup foo
? 2
2> error: 'grup' is not a nanoclaw command
2> hint: 'nanoclaw help group' lists its commands
$ nanoclaw help skil add
? 2
2> error: 'skil' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help skill apply'?
$ nanoclaw channel
? 2
> usage: nanoclaw channel <command> [...]
>
>   channel list   list the channels and their state
>   channel login  log in to a chat platform on this terminal
>   channel pair   get a code that connects a chat to a group
$ nanoclaw bridges
? 2
2> error: 'bridges' is not a nanoclaw command
2> hint: did you mean 'nanoclaw channel list'? docs/bridge-protocol.md explains how to write a bridge
$ nanoclaw start nope
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw group show nope
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw group config main limits.seconds abc
? 2
2> error: groups/main/container.json:3:16: 'limits.seconds' must be a whole number from 1 to 604800
$ nanoclaw task add main --every 1h --at 2030-01-01T10:00 x
? 2
2> error: only one of '--cron', '--every' and '--at' can be given
2> hint: "--cron '0 9 * * *'" is nine every day, '--every 2h' is every two hours
$ nanoclaw logs -n x
? 2
2> error: '-n' takes a number from 0 to 100000, not 'x'
$ nanoclaw man
? 2
2> error: 'man' is not a nanoclaw command
2> hint: did you mean 'nanoclaw help --all'? 'man nanoclaw' shows the manual page
$ nanoclaw budget
? 2
2> error: 'budget' is not a nanoclaw command
2> hint: did you mean 'nanoclaw usage'? 'nanoclaw group config GROUP budget.monthlyDollars 10' sets one
$ nanoclaw send hello
? 2
2> error: the message is empty
2> hint: 'nanoclaw send GROUP TEXT', as in 'nanoclaw send main hello'
$ nanoclaw group add foo bar
? 2
2> error: 'foo' is not the JID of a chat
2> hint: a JID is like 'slack:C1234567890' or '12036@g.us'; 'nanoclaw channel pair CHANNEL' registers a chat without one
$ ls -A
