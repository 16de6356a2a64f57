# hosts that are killed right after their start are told, once, by the command; what it says is in no output of ours
needs: sandbox
ignore: logs log store data groups container told
-- told.sh [755] --
#!/bin/sh
cat >>told; echo noise
-- until [755] --
#!/bin/sh
# A host until its log has this.
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
-- .env --
NANOCLAW_ALERT=./told.sh
TZ=UTC
== run ==
$ ./until 'is running'; kill -9 $(cat store/lock); touch -d 2001-02-03T04:05Z data/run/alive; for i in 1 2 3; do ./until 'is running'; until test -s told; do :; done; kill -9 $(cat store/lock); done; cat told; rm told
> is running
> is running
> is running
> is running
> The host did not run from 2001-02-03 04:05 to [..]. The messages and tasks of that time are taken up now.
$ echo NANOCLAW_TURN_TRIES=x >>.env; rm -f data/run/alive*; NOTIFY_SOCKET=/nowhere nanoclaw --json run 2>/dev/null | grep -E '^.$|noise'; cat told; sed -i 3d .env
> {
> }
> The host cannot start: NANOCLAW_TURN_TRIES is 'x', and must be a number [..]
