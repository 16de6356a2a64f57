# a full disk is called that, by what writes and by doctor, which advises no restore; what only reads works
needs: bwrap mount unshare
-- small/ --
-- bin/bwrap [755] --
#!/bin/sh
echo 'refused 14 of 14'
-- work [755] --
#!/bin/sh
# In a project on a disk of its own, which is filled to the last byte.
PATH=$PWD/bin:$PATH
mount -t tmpfs -o size=8m none small && cd small || exit
nanoclaw -q group add slack:C1 Dev --folder dev 2>&1
dd if=/dev/zero of=filler bs=4096 2>/dev/null
dd if=/dev/zero of=filler2 bs=1 count=5000 2>/dev/null
exec 2>&1
echo '== reading'
nanoclaw group list
nanoclaw history main
nanoclaw status
echo '== writing'
for command in 'group add slack:C2 Ops' 'task add main --every 1d hello' compose run \
	'backup store/backups/b.tar.gz' 'backup ../b.tar.gz' 'user-skill sync' '--yes setup' 'start' \
	'init --core-version 1.0.0'; do
	echo "= $command"
	nanoclaw $command </dev/null
done
nanoclaw --json compose
echo '== doctor'
nanoclaw doctor | grep -E '^[a-z]+ +(disk|store) |restore'
echo '== with room again'
rm filler filler2
nanoclaw -q doctor
nanoclaw group add slack:C2 Ops
== run ==
$ unshare -rm mount -t tmpfs none small 2> /dev/null || exit 0; unshare -rm ./work
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
> == reading
> folder  jid         name
> main    local:main  Main
> dev     slack:C1    Dev
> nothing has been said yet
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 2, messages 0, waiting 0, being answered 0
> == writing
> = group add slack:C2 Ops
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = task add main --every 1d hello
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = compose
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = run
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = backup store/backups/b.tar.gz
> error: cannot write '[dir]/small/store/snapshot.db': the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = backup ../b.tar.gz
> error: cannot write '[dir]/small/store/snapshot.db': the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = user-skill sync
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = --yes setup
> error: cannot write '.env': the disk is full
> hint: free some space on that disk ('df -h'), and try again
> = start
> error: the host could not be started: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: 'logs/host.log' may say more
> = init --core-version 1.0.0
> error: cannot save the core: cannot copy 'filler': the disk is full
> hint: everything is as it was before; free some space on that disk ('df -h'), and try again
> error: the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full
> hint: free some space on that disk ('df -h'), and try again
> {
>   "error": "the store '[dir]/small/store/nanoclaw.db': cannot read its version: the disk is full",
>   "hint": "free some space on that disk ('df -h'), and try again",
>   "success": false
> }
> == doctor
> problem  disk         the disk is full: only 0 KiB are free here
> ok       store        SQLite finds no fault
> == with room again
> problem  disk         only 7 MiB are free here
>                       try: df -h .
> warning: no channel here serves 'slack:C2' yet; 'nanoclaw channel list' lists them
> registered, with the folder 'groups/ops'
> messages that begin with '@Andy' are answered
