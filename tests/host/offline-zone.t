# the zone in .env is that of the assistant, unless the environment names one
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- .env --
TZ=Asia/Tokyo
== run ==
$ echo remind me to call Ann on 2035-02-17 at 5pm | env -u TZ nanoclaw start
> I will remind you on Saturday, 17 February 2035 at 17:00 (Asia/Tokyo): call Ann
> 'cancel 1' takes it back.
$ echo remind me to call Bob on 2035-02-17 at 5pm | TZ=Europe/Berlin nanoclaw start
> I will remind you on Saturday, 17 February 2035 at 17:00 (Europe/Berlin): call Bob
> 'cancel 2' takes it back.
$ for zone in UTC Asia/Tokyo; do TZ=$zone nanoclaw status | tail -1; done; env -u TZ nanoclaw status | tail -1
>   tasks 2, the next one at 2035-02-17 08:00:00 UTC
>   tasks 2, the next one at 2035-02-17 17:00:00 Asia/Tokyo
>   tasks 2, the next one at 2035-02-17 17:00:00 Asia/Tokyo
$ nanoclaw task list
> id  group  next run                        schedule  prompt
> 1   main   2035-02-17 17:00 Asia/Tokyo     once      Reminder: call Ann
> 2   main   2035-02-17 17:00 Europe/Berlin  once      Reminder: call Bob
