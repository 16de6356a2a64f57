# a reminder that is not certain is asked about; 'yes', a correction or a text answers
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw start
< remind me on 2035-02-16 at 5pm to call bob before the meeting at 6pm
< yes
< remind me on firday 16 february 2035 at 17:00 to pay
< no, at 5am
< remind me to water the plants
< on 2035-02-17 at 9am
< remind me at 2035-02-18 at 10am
< call mum
< remind me on 2035-02-19 at 9am and on 2035-02-20 at 9am to train
< yes
< remind me every day at 9am until 2035-02-20 to run
< remind me every monday at 9:00 and 18:30 to eat
< remind me on the last friday of every month at 4pm to report
< remind me every 30 minutes between 9 and 17 on weekdays to drink
< remind me every 2 hours from 9:00 to 18:00 to walk
< remind me every other friday at 9am to clean
< remind me every 3 months on the 15th at 9am to pay
< remind me every day at 9am forr a week to rest
< no
< erinnere mich am 16.2.2035 um 17 Uhr an Mama
> Did you mean Friday, 16 February 2035 at 17:00 (UTC): call bob before the meeting at 6pm?
> I ask because I did not use 'at 6pm'. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Friday, 16 February 2035 at 17:00 (UTC): call bob before the meeting at 6pm
> 'cancel 1' takes it back.
> Did you mean Friday, 16 February 2035 at 17:00 (UTC): pay?
> I ask because a word looks mistyped. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Friday, 16 February 2035 at 05:00 (UTC): pay
> 'cancel 2' takes it back.
> I did not find a time in that. Say for example 'remind me to water the plants tomorrow at 9', '… in 20 minutes' or '… every weekday at 8:15'.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): water the plants
> 'cancel 3' takes it back.
> What should I remind you of? Say, for example, 'remind me to call mum tomorrow at 9'.
> I will remind you on Sunday, 18 February 2035 at 10:00 (UTC): call mum
> 'cancel 4' takes it back.
> Did you mean Monday, 19 February 2035 at 09:00 (UTC): on 2035-02-20 at 9am to train?
> I ask because I did not use 'on 2035-02-20 at 9am'. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Monday, 19 February 2035 at 09:00 (UTC): on 2035-02-20 at 9am to train
> 'cancel 5' takes it back.
> I will remind you every day at 09:00, until Tuesday, 20 February 2035, first [..] (UTC): run
> 'cancel 6' takes it back.
> I will remind you every Monday at 09:00 and 18:30, first [..] (UTC): eat
> 'cancel 7' takes it back.
> I will remind you on the last Friday of the month at 16:00, first [..] (UTC): report
> 'cancel 8' takes it back.
> I will remind you every 30 minutes from 09:00 to 17:00 on weekdays, first [..] (UTC): drink
> 'cancel 9' takes it back.
> I will remind you every 2 hours from 09:00 to 17:00, first [..] (UTC): walk
> 'cancel 10' takes it back.
> I will remind you every 2 weeks on Friday at 09:00, first [..] (UTC): clean
> 'cancel 11' takes it back.
> I will remind you every 3 months on day 15 at 09:00, first [..] (UTC): pay
> 'cancel 12' takes it back.
> Did you mean every day at 09:00 (UTC): forr a week to rest?
> I ask because I did not use 'a week'. Say 'yes', or for example 'no, at 5am'.
> OK, I changed nothing.
> I will remind you on Friday, 16 February 2035 at 17:00 (UTC): Mama
> 'cancel 13' takes it back.
