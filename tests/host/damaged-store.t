# a damaged store is called that by every command, and leads to doctor, which names the newest backup in a line to type
needs: bwrap
ignore: store data groups logs
-- bin/bwrap [755] --
#!/bin/sh
echo 'refused 14 of 14'
-- of-store [755] --
#!/bin/sh
# What doctor says of the store.
PATH=$PWD/bin:$PATH nanoclaw doctor | grep -A1 -E '^[a-z]+ +store '
-- damage [755] --
#!/bin/sh
dd if=/dev/zero of=store/nanoclaw.db bs=4096 seek=1 count=60 conv=notrunc 2>/dev/null
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
$ nanoclaw -q backup "store/backups/b'1.tar.gz"
> [..]holds 5 files, [..] KiB in [..]
$ ./damage; for c in 'group list' 'history main' 'task list' usage audit compose run 'task add main --every 1d x'; do nanoclaw $c; done 2>&1 | sort | uniq -c; nanoclaw status
>       8 error: the store '[dir]/store/nanoclaw.db': it is damaged: database disk image is malformed
>       8 hint: 'nanoclaw doctor' names the newest backup, and how to restore it
> no skills have been applied here
> assistant: cannot read its state: the store '[dir]/store/nanoclaw.db': it is damaged: database disk image is malformed
>   'nanoclaw doctor' names the newest backup, and how to restore it
# What waits is in the store.
$ PATH=$PWD/bin:$PATH nanoclaw doctor | grep -E '^[a-z]+ +host '
> ok       host         it is not running ('nanoclaw run')
# A backup of it is made, but doctor does not name it.
$ nanoclaw backup ~/b2.tar.gz; ./of-store
> '[..]/b2.tar.gz' holds 5 files, [..] KiB in [..]
> problem  store        the store '[dir]/store/nanoclaw.db': it is damaged: database disk image is malformed; the newest backup is of [..]
>                       try: nanoclaw restore '[dir]/store/backups/b'\''1.tar.gz'
2> warning: 'nanoclaw restore' refuses it as it is: the store is damaged
$ sh -c "$(./of-store | sed -n 's/.*try: //p')" | head -1 && nanoclaw group list && ./of-store
> restored from [..] of 2001-02-03 04:05:06
> folder  jid         name
> main    local:main  Main
> dev     slack:C1    Dev
> ok       store        SQLite finds no fault
> ok       private      nobody else can read messages
$ rm store/backups/*.gz; ./damage; ./of-store
> problem  store        the store '[dir]/store/nanoclaw.db': it is damaged: database disk image is malformed; no backup is known here: if you have none, move 'store/nanoclaw.db*' away to start over
>                       try: nanoclaw restore FILE
