# a host that was dead says so when it runs again; one that cannot start runs the owner's command, once
needs: sandbox sqlite3
ignore: logs log store data groups container told
-- told.sh [755] --
#!/bin/sh
sed "s/^/$1: /" >>told
-- until [755] --
#!/bin/sh
# A host until its log has this.
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
-- .env --
NANOCLAW_ALERT_SECONDS=1
NANOCLAW_ALERT="./told.sh owner"
TZ=UTC
== run ==
# A sign of life is there while it runs, also after a kill, and not after a stop.
$ ./until 'is running'; until test -e data/run/alive; do :; done; nanoclaw stop | grep -o stopped; ls data/run | grep alive
? 1
> is running
> stopped
$ ./until 'is running'; until test -e data/run/alive; do :; done; kill -9 $(cat store/lock); ls data/run | grep alive
> is running
> alive
$ touch -d 2001-02-03T04:05Z data/run/alive; ./until 'did not run'; until test -s told; do :; done; nanoclaw stop | grep -o stopped; cat told; rm told; sqlite3 store/nanoclaw.db 'SELECT content FROM outbox; DELETE FROM outbox'
> did not run
> stopped
> owner: The host did not run from 2001-02-03 04:05 to [..]. The messages and tasks of that time are taken up now.
> The host did not run from 2001-02-03 04:05 to [..]. The messages and tasks of that time are taken up now.
# A fault right after a stop is no outage yet; one that lasts is told once.
$ mv store/nanoclaw.db saved && echo damaged >store/nanoclaw.db; nanoclaw run; ls told data/run/alive
? 2
> data/run/alive
2> error: [..]
2> hint: 'nanoclaw doctor' names the newest backup, and how to restore it
2> ls: [..]
$ touch -d 2001-02-03T04:05Z data/run/alive; nanoclaw -q run; nanoclaw -q run; cat told; rm told
2> error: [..]
2> hint: 'nanoclaw doctor' names the newest backup, and how to restore it
2> error: [..]
2> hint: 'nanoclaw doctor' names the newest backup, and how to restore it
> owner: The host cannot start: the store '[dir]/store/nanoclaw.db': [..]it is damaged: file is not a database.
# A service manager does not try again after such a fault: then at once.
$ rm -f data/run/alive*; for i in 1 2; do NOTIFY_SOCKET=/nowhere nanoclaw -q run 2>/dev/null; done; cat told; rm told; touch -d 2001-02-03T04:05Z data/run/alive-told
> owner: The host cannot start: [..]
# The next host knows since when. Main's chat is on no channel: without the command, it waits there.
$ mv saved store/nanoclaw.db; nanoclaw -q group add chat:1 Me --folder main 2>/dev/null; sed -i 2d .env; ./until 'did not run'; nanoclaw stop | grep -o stopped; ls data/run | grep alive; sqlite3 store/nanoclaw.db 'SELECT chat_jid, content FROM outbox'
> main is now at chat:1
> did not run
> stopped
> chat:1|The host did not run from 2001-02-03 04:05 to [..]. The messages and tasks of that time are taken up now.
== after ==
-- .env --
NANOCLAW_ALERT_SECONDS=1
TZ=UTC
