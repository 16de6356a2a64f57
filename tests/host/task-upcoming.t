# 'task list --json' has the runs of a week, for a calendar
ignore: **
== run ==
$ nanoclaw -q task add main --cron '0 9 * * *' --tz UTC "water the plants"
> ...
$ nanoclaw -q task add main --every 2d --tz UTC "tidy up"
> ...
$ nanoclaw -q task add main --at 2099-01-01T09:00 --tz UTC "happy new year"
> ...
$ nanoclaw --json task list | python3 -c 'import json, sys; print(*[len(t["upcoming"]) for t in json.load(sys.stdin)["tasks"]])'
> 7 4 1
