# a planned backup for which there is no room fails with what to do, keeps the older ones, and works again with room
needs: mount unshare
-- project/ --
-- small/ --
-- work [755] --
#!/bin/sh
# In a project whose backups go to a small disk.
until_log() {
	sed -i 's/"next": "..../"next": "2001/' store/backups/plan.json
	mkfifo log && (nanoclaw run 2>log &) && grep -m1 -oE "is made and proved|failed: .*full" log | sed 's/tmp-[0-9a-f]*/tmp-N/'
	rm log && nanoclaw stop >/dev/null
}
mount -t tmpfs -o size=8m none project && mount -t tmpfs -o size=1m none small && cd project || exit
nanoclaw -q group add slack:C1 Dev --folder dev >/dev/null 2>&1
nanoclaw -q backup --every day --keep 1 ../small >/dev/null
until_log
head -c 1500000 /dev/urandom >groups/dev/large
until_log
ls -A ../small | grep -c .
nanoclaw doctor | grep -A1 'backups '
rm groups/dev/large
until_log
ls -A ../small | grep -c .
nanoclaw doctor | grep -o 'backups .*: 20'
dd if=/dev/zero of=full bs=64k 2>/dev/null; dd if=/dev/zero of=full2 bs=1 2>/dev/null
nanoclaw backup --every never
== run ==
$ unshare -rm mount -t tmpfs none . 2>/dev/null || exit 0; unshare -rm ./work
> is made and proved
> failed: cannot write the compressed data: the disk is full
> 1
> problem  backups      the last one has failed: cannot write the compressed data: the disk is full
>                       try: free some space on that disk ('df -h'), and try again
> is made and proved
> 1
> backups      the last one that was restored on trial: 20
> no more backups are made; those that there are stay
