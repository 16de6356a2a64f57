# the audit log can be read without a host, and wrong questions get an explanation
ignore: store groups data container
== run ==
$ nanoclaw audit
> no agent has made a call yet
$ nanoclaw audit --json
> {
>   "entries": [],
>   "success": true
> }
$ nanoclaw task add main --every 1d water
> task 1 is scheduled; it runs next at [..]
$ nanoclaw audit
> no agent has made a call yet
$ nanoclaw audit main --kind tool --last 5 --json
> {
>   "entries": [],
>   "success": true
> }
$ nanoclaw audit nobody
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw audit --kind tools
? 2
2> error: there is no kind 'tools' in the audit log
2> hint: the kinds are 'tool', 'egress', 'budget' and 'agent'
$ nanoclaw audit --last 0
? 2
2> error: '--last' takes a number from 1 to 100000, not '0'
$ nanoclaw audit --last many
? 2
2> error: '--last' takes a number from 1 to 100000, not 'many'
