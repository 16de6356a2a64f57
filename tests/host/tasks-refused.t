# a schedule that cannot be is refused with its reason, and makes no store
== run ==
$ nanoclaw task add main --cron '99 * * * *' x
? 2
2> error: the minute '99' is not a number from 0 to 59 or *
$ nanoclaw task add main --every 5x x
? 2
2> error: '5x' is not a duration
2> hint: write it as 30s, 15m, 2h, 1d, 1w or 1h30m
$ nanoclaw task add main --cron '0 9 * * *' --tz Europe/Berlni hi
? 2
2> error: there is no time zone 'Europe/Berlni'
2> hint: did you mean 'Europe/Berlin'?
