# reminders are set in plain English, listed, paused, resumed and cancelled
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw start
< remind me to call mum on 2035-02-17 at 5pm
< @Andy please remind me on 3 March 2035 to pay the rent
< remind me every weekday at 08:15 to check the mail
< remind me every 400 days to drink
< tasks
< pause 3
< pause the reminder about the rent
< cancel the reminder about unicorns
< tasks
< resume 3
< cancel 4
< cancel 4
< cancel 99
< cancel all
< tasks
< cancel everything
< yes
< tasks
> I will remind you on Saturday, 17 February 2035 at 17:00 (UTC): call mum
> 'cancel 1' takes it back.
> I will remind you on Saturday, 3 March 2035 at 09:00 (UTC): pay the rent
> If you meant something else, tell me: you said no time of day.
> 'cancel 2' takes it back.
> I will remind you every weekday at 08:15, first [..] (UTC): check the mail
> 'cancel 3' takes it back.
> I will remind you every 57 weeks and 1 day, first [..] (UTC): drink
> 'cancel 4' takes it back.
> 3: check the mail (every weekday at 08:15; next [..])
> 4: drink (every 57 weeks and 1 day; next [..])
> 1: call mum (Saturday, 17 February 2035 at 17:00)
> 2: pay the rent (Saturday, 3 March 2035 at 09:00)
> Paused: check the mail
> Paused: pay the rent
> I have no such task. 'tasks' lists them.
> 4: drink (every 57 weeks and 1 day; next [..])
> 1: call mum (Saturday, 17 February 2035 at 17:00)
> 2: pay the rent (paused)
> 3: check the mail (every weekday at 08:15; paused)
> Resumed: check the mail
> Cancelled: drink
> I could not do that: task 4 is already cancelled.
> I could not do that: there is no task '99'.
> That cancels all of these:
> 3: check the mail (every weekday at 08:15; next [..])
> 1: call mum (Saturday, 17 February 2035 at 17:00)
> 2: pay the rent (paused)
> If you are sure, say 'yes' or 'yes, cancel all'.
> 3: check the mail (every weekday at 08:15; next [..])
> 1: call mum (Saturday, 17 February 2035 at 17:00)
> 2: pay the rent (paused)
> That cancels all of these:
> 3: check the mail (every weekday at 08:15; next [..])
> 1: call mum (Saturday, 17 February 2035 at 17:00)
> 2: pay the rent (paused)
> If you are sure, say 'yes' or 'yes, cancel all'.
> Cancelled: call mum
> Cancelled: pay the rent
> Cancelled: check the mail
> Nothing is scheduled. Say for example 'remind me to call mum tomorrow at 9'.
$ nanoclaw start
< remind me to laugh
< remind me at 5pm
< remind me on 2020-01-01 at 9am to laugh
< remind me twice a day to laugh
< remind me on 3/4 to laugh
< time zone Europe/Berlin
< remind me on 2035-03-25 at 02:30 to sleep
< remind me on 2035-10-28 at 02:30 to sleep
< tasks
> I did not find a time in that. Say for example 'remind me to laugh tomorrow at 9', '… in 20 minutes' or '… every weekday at 8:15'.
> What should I remind you of? Say, for example, 'remind me to call mum tomorrow at 9'.
> I did not set that: Wednesday, 1 January 2020 at 09:00 has passed. How about [..], 1 January [..] at 09:00?
> I did not set that. Please say at which times, such as 'every day at 9 and 18:00'.
> I did not set that. I cannot tell which of the two numbers is the month; please write it as a word, such as '3 April'.
> From now on I use this time zone; the time there is [..] (Europe/Berlin). Existing reminders keep theirs.
> I did not set that: Sunday, 25 March 2035 at 02:30 does not exist in Europe/Berlin, because the clocks go forward then. Please say another time.
> I will remind you on Sunday, 28 October 2035 at 02:30 (Europe/Berlin): sleep
> 'cancel 5' takes it back.
> 5: sleep (Sunday, 28 October 2035 at 02:30)
