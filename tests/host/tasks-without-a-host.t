# tasks can be added, listed, paused, resumed and cancelled with the host down, and what is wrong is said
ignore: store data groups
== run ==
$ nanoclaw task list
> no tasks yet: see 'nanoclaw task add --help'
$ nanoclaw task add main --at 2099-01-01T09:00 --tz Europe/Berlin 'happy new year'
> task 1 is scheduled; it runs next at 2099-01-01 09:00 Europe/Berlin
$ nanoclaw task add main --cron '0 9 * * MON-FRI' --tz America/New_York --missed skip --context isolated 'good morning'
> task 2 is scheduled; it runs next at [..] 09:00 America/New_York
$ nanoclaw task list
> id  group  next run                           schedule         prompt
> 1   main   2099-01-01 09:00 Europe/Berlin     once             happy new year
> 2   main   [..] 09:00 America/New_York  0 9 * * MON-FRI  good morning
$ nanoclaw task pause 1
> task 1 is paused
$ nanoclaw task list main
> id  group  next run                           schedule         prompt
> 1   main   paused                             once             happy new year
> 2   main   [..] 09:00 America/New_York  0 9 * * MON-FRI  good morning
$ nanoclaw task resume 1
> task 1 is active; it runs next at 2099-01-01 09:00 Europe/Berlin
$ nanoclaw task cancel 1
> task 1 is cancelled
$ nanoclaw task cancel 1
? 2
2> error: task 1 is already cancelled
$ nanoclaw task list --all
> id  group  next run                           schedule         prompt
> 1   main   cancelled                          once             happy new year
> 2   main   [..] 09:00 America/New_York  0 9 * * MON-FRI  good morning
$ nanoclaw task runs 1
> task 1 has not run yet
$ nanoclaw --json task runs 1
> {
>   "runs": [],
>   "success": true,
>   "task": {
>     "chat": "local:main",
>     "contextMode": "group",
>     "createdAt": "[..]",
>     "group": "main",
>     "id": "1",
>     "lastResult": null,
>     "lastRun": null,
>     "missed": "once",
>     "nextRun": null,
>     "nextRunLocal": null,
>     "prompt": "happy new year",
>     "scheduleType": "once",
>     "scheduleValue": "2099-01-01T09:00",
>     "status": "cancelled",
>     "tz": "Europe/Berlin"
>   }
> }
$ nanoclaw task runs 7
? 2
2> error: there is no task '7'
2> hint: 'nanoclaw task list' shows them
$ nanoclaw task add main 'when?'
? 2
2> error: one of '--cron', '--every' and '--at' is required
2> hint: "--cron '0 9 * * *'" is nine every day, '--every 2h' is every two hours
$ nanoclaw task add main --every 1h --cron '@daily' 'which?'
? 2
2> error: only one of '--cron', '--every' and '--at' can be given
2> hint: "--cron '0 9 * * *'" is nine every day, '--every 2h' is every two hours
$ nanoclaw task add main --cron '0 25 * * *' x
? 2
2> error: the hour '25' is not a number from 0 to 23 or *
$ nanoclaw task add main --cron '0 9 * *' x
? 2
2> error: a cron expression has five fields (minute, hour, day, month, weekday), not 4
2> hint: at nine every day is '0 9 * * *'
$ nanoclaw task add main --cron '0 0 30 2 *' x
? 2
2> error: '0 0 30 2 *' never happens
2> hint: is there a month with that day?
$ nanoclaw task add main --every 5 x
? 2
2> error: an interval must be at least one second
2> hint: a number alone is milliseconds; write 30s or 30m
$ nanoclaw task add main --at 2020-01-01T09:00 --tz Europe/Berlin x
? 2
2> error: 2020-01-01T09:00:00+01:00 is in the past
2> hint: it is [..] in the time zone 'Europe/Berlin'
# A time in words is good if it can mean only one thing.
$ nanoclaw task add main --at 'tomorrow at 5pm' --tz Asia/Tokyo x
> task [..] is scheduled; it runs next at 20[..] 17:00 Asia/Tokyo
$ nanoclaw task add main --at 'friday or saturday' x
? 2
2> error: 'friday or saturday' is not a date with a time
2> hint: write it as 2026-11-17T09:00, or with an offset: 2026-11-17T09:00+01:00
$ nanoclaw task add main --at soon x
? 2
2> error: 'soon' is not a date with a time
2> hint: write it as 2026-11-17T09:00, or with an offset: 2026-11-17T09:00+01:00
$ nanoclaw task add main --every 1h --tz europe/berlin x
? 2
2> error: there is no time zone 'europe/berlin'
2> hint: did you mean 'Europe/Berlin'?
$ nanoclaw task add main --every 1h --missed never x
? 2
2> error: missed runs can be 'skip', 'once' or 'all', not 'never'
$ nanoclaw task add main --every 1h --context none x
? 2
2> error: the context of a task is 'group' or 'isolated', not 'none'
$ nanoclaw task add mian --every 1h x
? 2
2> error: there is no group 'mian'
2> hint: did you mean 'main'?
$ nanoclaw task list nobody
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw status
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 1, messages 0, waiting 0, being answered 0
>   tasks 2, the next one at [..]
# The list shows the first line that has words.
$ nanoclaw task add main --at 2099-01-01T10:00 --tz Europe/Berlin "$(printf ' \n  a line of its own')"; nanoclaw task list | grep own
> task 4 is scheduled; it runs next at 2099-01-01 10:00 Europe/Berlin
> 4   main   2099-01-01 10:00 Europe/Berlin     once             a line of its own
