# tasks are moved and listed by day, reminders are repeated or sent to other groups, and lists are kept
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw group add x:1 Family --folder family
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'x:1' yet; 'nanoclaw channel list' lists them
$ nanoclaw start
< remind me on 2035-02-16 at 5pm to pay the rent
< remind me every weekday at 08:15 to check the mail
< move 1 to 6pm
< move the rent to 2035-02-17
< postpone 1 by 2 hours
< move 2 to 9am
< move 2 to every monday at 10am
< make it 9:30am
< move 2 to tomorrow
< move 99 to 6pm
< move 1
< what's on 2035-02-17
< what's on 2035-02-19
< what's on 2035-02-20
< remind the family group on 2035-02-16 at 5pm to have dinner
< remind Family every monday at 10:01 to cook
< remind Fred tomorrow at 5pm to cook
< tasks
< snooze
< add milk to the shopping list
< add eggs to shopping
< add milk to shopping
< what's on shopping
< take milk from the shopping list
< take milk from shopping
< what's on the shopping list
< what's on the reading list
< notes
> I will remind you on Friday, 16 February 2035 at 17:00 (UTC): pay the rent
> 'cancel 1' takes it back.
> I will remind you every weekday at 08:15, first [..] (UTC): check the mail
> 'cancel 2' takes it back.
> Moved: pay the rent (Friday, 16 February 2035 at 18:00, UTC)
> Moved: pay the rent (Saturday, 17 February 2035 at 18:00, UTC)
> Moved: pay the rent (Saturday, 17 February 2035 at 20:00, UTC)
> Moved: check the mail (every weekday at 09:00; next [..], UTC)
> Moved: check the mail (every Monday at 10:00; next [..], UTC)
> Moved: check the mail (every Monday at 09:30; next [..], UTC)
> I cannot move it like that. Say for example 'move 3 to 6pm', 'move 3 to Friday' or 'move 3 to every day at 9'.
> I have no such task. 'tasks' lists them.
> Say for example 'move 3 to 6pm' or 'move 3 to Friday'.
> Saturday, 17 February 2035 at 20:00: pay the rent (1)
> Monday, 19 February 2035 at 09:30: check the mail (2)
> Nothing.
> I will remind the group 'family' on Friday, 16 February 2035 at 17:00 (UTC): have dinner
> 'cancel 3' takes it back.
> I will remind the group 'family' every Monday at 10:01, first [..] (UTC): cook
> If you meant something else, tell me: you did not say am or pm.
> 'cancel 4' takes it back.
> I did not understand that; did you mean 'remind me …'? 'help' lists what I can do, and says how to give me a model.
> 2: check the mail (every Monday at 09:30; next [..])
> 4: cook (every Monday at 10:01; next [..], in the group family)
> 3: have dinner (Friday, 16 February 2035 at 17:00, in the group family)
> 1: pay the rent (Saturday, 17 February 2035 at 20:00)
> There is no reminder to repeat yet.
> 'milk' is now on the list 'shopping'.
> 'eggs' is now on the list 'shopping'.
> 'milk' is already on the list 'shopping'.
> - milk
> - eggs
> 'milk' is off the list 'shopping'.
> 'milk' is not on the list 'shopping'.
> - eggs
> There is nothing on a list 'reading'. Say for example 'add milk to reading'.
> 1. shopping: eggs
$ nanoclaw task add main --every 1s 'Reminder: turn off the oven'
> task 5 is scheduled; it runs next at [..]
# Each of these starts and stops a host: missed tasks run at the next start.
$ until echo hello | nanoclaw start | sort -u | grep '^Reminder'; do :; done
> Reminder: turn off the oven
$ printf 'cancel 5\nsnooze 2 hours\nsnooze until 2035-02-16 at 9am\ndone\n' | nanoclaw start | grep -v '^Reminder' | tail -n 5
> I will remind you [..] (UTC): turn off the oven
> 'cancel 6' takes it back.
> I will remind you on Friday, 16 February 2035 at 09:00 (UTC): turn off the oven
> 'cancel 6' takes it back.
> Well done: turn off the oven. I do not remind you of it again.
