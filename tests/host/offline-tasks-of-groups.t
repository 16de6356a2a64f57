# main sees the tasks of all groups, with their group; all that are cancelled at once are its own
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw group add x:1 Family --folder family
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'x:1' yet; 'nanoclaw channel list' lists them
$ nanoclaw task add family --at 2035-02-17T17:00 'Reminder: dinner'
> task 1 is scheduled; it runs next at 2035-02-17 17:00 UTC
$ nanoclaw task add main --at 2035-02-18T17:00 'Reminder: lunch'
> task 2 is scheduled; it runs next at 2035-02-18 17:00 UTC
$ nanoclaw start
< tasks
< cancel all
< yes
< tasks
< cancel dinner
< tasks
> 1: dinner (Saturday, 17 February 2035 at 17:00, in the group family)
> 2: lunch (Sunday, 18 February 2035 at 17:00)
> That cancels all of these:
> 2: lunch (Sunday, 18 February 2035 at 17:00)
> If you are sure, say 'yes' or 'yes, cancel all'.
> Cancelled: lunch
> 1: dinner (Saturday, 17 February 2035 at 17:00, in the group family)
> Cancelled: dinner
> Nothing is scheduled. Say for example 'remind me to call mum tomorrow at 9'.
