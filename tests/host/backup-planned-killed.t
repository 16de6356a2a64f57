# a host that is killed or stopped while it makes a backup leaves no half one, and the next host makes it; a name that got its file counts
needs: sandbox flock
ignore: store data groups logs container
-- begin [755] --
#!/bin/sh
# A host for which a backup is due, until there is this in its log.
sed -i 's/"next": "..../"next": "2001/' store/backups/plan.json
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "$1" log
rm log
-- halfway [755] --
#!/bin/sh
# A host in the middle of writing a backup there.
rm -f $1/.nanoclaw-tmp-*
./begin 'is running' >/dev/null
until find $1/.nanoclaw-tmp-* -size +1M 2>/dev/null | grep -q .; do
	# Missed: once more.
	ls $1/*.gz >/dev/null 2>&1 && nanoclaw stop >/dev/null && rm $1/*.gz && ./begin 'is running' >/dev/null
done
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev >/dev/null && head -c 40000000 /dev/urandom >groups/dev/large; mkdir ~/disk; nanoclaw -q backup --every day --keep 1 ~/disk >/dev/null
$ for i in 1 2 3; do ./halfway ~/disk; kill -9 $(cat store/lock); done; ./halfway ~/disk; nanoclaw stop | grep -o stopped; ls ~/disk
> stopped
$ ls -A ~/disk | wc -l; ./begin 'is made and proved' && ls -A ~/disk && nanoclaw stop | grep -o stopped; nanoclaw backup --list | grep -c 'tar.gz$'
> 1
> is made and proved
> nanoclaw-[..].tar.gz
> stopped
> 1
# Killed between the name and the plan: it is there, and is the oldest now.
$ name=$(ls ~/disk); sed -i '/"size"/d; /"time"/d; s/\("name": .*\),$/\1/' store/backups/plan.json; ./begin 'is made and proved'; nanoclaw stop | grep -o stopped; ls ~/disk | wc -l; ls ~/disk | grep $name
? 1
> is made and proved
> stopped
> 1
# Another backup is in the way: in a minute again, and nobody is told.
$ flock store/backup-lock ./begin 'tried again in a minute'; nanoclaw stop | grep -o stopped; grep -c '"failed"' store/backups/plan.json
? 1
> tried again in a minute
> stopped
> 0
