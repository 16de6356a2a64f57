# a host that is killed while it makes a backup leaves no half one, and the next host makes it
needs: sandbox
ignore: store data groups logs container
-- begin [755] --
#!/bin/sh
# A host for which a backup is due, until there is this in its log.
sed -i 's/"next": "..../"next": "2001/' store/backups/plan.json
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev >/dev/null && head -c 9000000 /dev/urandom >groups/dev/large && nanoclaw -q backup --every day >/dev/null
$ for i in 1 2 3 4 5; do ./begin 'is running'; kill -9 $(cat store/lock); ls store/backups | grep 'gz$'; done; true
> is running
> is running
> is running
> is running
> is running
$ ./begin 'is made and proved' && ls -A store/backups && nanoclaw stop | grep -o stopped && tar tzf store/backups/*.gz | tail -1
> is made and proved
> nanoclaw-[..].tar.gz
> plan.json
> stopped
> [..]
