# the host makes the backups that are planned, proves each by a trial restore, keeps so many, and tells of a failure once
needs: sandbox sqlite3 tar
ignore: store data groups logs container
-- due [755] --
#!/bin/sh
# A host for which a backup is due, until that is made or has failed.
sed -i 's/"next": "..../"next": "2001/' store/backups/plan.json
mkfifo log && (nanoclaw run 2>log &) && grep -m1 -oE "is made and proved|the backup has failed.*" log
rm log && nanoclaw stop >/dev/null
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
$ nanoclaw backup --list
> no backups are planned; 'nanoclaw backup --every day' plans them
$ nanoclaw backup --every 59m
? 2
2> error: '59m' is not a time of an hour or more
2> hint: such as: day, week, 6h; 'never' ends it
$ nanoclaw backup --every day groups
? 2
2> error: '[dir]/groups/' is in the project, which agents and git may read
2> hint: choose a place outside, or 'store/backups/'
$ nanoclaw backup --every day --keep 0
? 2
2> error: '--keep' takes a number from 1 to 10000, not '0'
$ nanoclaw backup --every day nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw backup --every day /etc/hostname
? 2
2> error: '/etc/hostname' is not a folder
$ for o in '--every day --keep 7abc' 'b.tar.gz --keep 3' '--list x' '--every day --prove' '--every day --list' '--every day --force'; do nanoclaw backup $o; done
? 2
2> error: '--keep' takes a number from 1 to 10000, not '7abc'
2> error: '--keep' needs '--every'
2> error: '--list' takes no file
2> error: '--prove' does not go with '--every'
2> error: '--list' does not go with '--every'
2> error: '--force' does not go with '--every'
$ mkdir -p new/sub && cd new && nanoclaw backup --every day sub; rm -r ../new
2> error: [..]
2> hint: [..]
$ nanoclaw backup --every day --keep 2
> every day into 'store/backups'; 2 are kept
> last, and proved: none
> next: [..]
# A time that was missed is made up. What the plan did not make stays.
$ touch store/backups/nanoclaw-2001-01-01-000000.tar.gz; ./due; nanoclaw backup --list | grep -c tar.gz; cd store/backups; tar tzf $(readlink -f nanoclaw-202*) | head -2; stat -c %a nanoclaw-202*; ls -A
> is made and proved
> 1
> MANIFEST
> store/nanoclaw.db
> 600
> last
> nanoclaw-2001-01-01-000000.tar.gz
> nanoclaw-[..].tar.gz
> plan.json
$ first=$(ls store/backups/nanoclaw-202*); for i in 1 2; do ./due; done; nanoclaw backup --list | grep -c tar.gz; ls store/backups | grep -c 'tar.gz$'; test -e $first
? 1
> is made and proved
> is made and proved
> 2
> 3
$ nanoclaw doctor | grep -o '^ok *backups .*: 20'; nanoclaw --json backup --list | grep -c '"next": "20[0-9-]*T'
> ok       backups      the last one that was restored on trial: 20
> 1
# What cannot be restored does not count, and removes nothing. It is told once.
$ sqlite3 store/nanoclaw.db 'CREATE VIEW mine AS SELECT jid FROM chats'; ./due; ./due; ls store/backups | grep -c 'tar.gz$'; ls -A store/backups | grep tmp; nanoclaw doctor | grep -A1 backups | head -2
> the backup has failed: it could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
> the backup has failed: it could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
> 3
> problem  backups      the last one has failed: it could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
>                       try: nanoclaw backup --list
$ sqlite3 store/nanoclaw.db "DROP VIEW mine; SELECT content FROM outbox WHERE content LIKE '%backup%'"
> The backup into 'store/backups' has failed: it could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'. Older ones are kept, and it is tried again at the next time; 'nanoclaw backup --list' shows it.
# Works again, then another streak: a folder that is gone.
$ ./due; mkdir ~/disk; nanoclaw -q backup --every week ~/disk; ./due; rmdir ~/disk 2>/dev/null; ls ~/disk | wc -l; mv ~/disk ~/gone; ./due; ls ~/gone | wc -l
> is made and proved
> every week into '[..]/disk'; 7 are kept
> last, and proved: [..]
> next: [..]
> is made and proved
> 1
> the backup has failed: cannot open '[..]/disk': no such file or directory
> 1
$ sqlite3 store/nanoclaw.db "SELECT count(*) FROM outbox WHERE content LIKE '%backup%'"
> 2
$ nanoclaw backup --every never; nanoclaw backup --list; ls ~/gone | wc -l
> no more backups are made; those that there are stay
> no backups are planned; 'nanoclaw backup --every day' plans them
> 1
# What has taken the place of one stays. A file that cannot be read is told once, and a damaged plan is replaced.
$ mkdir ~/disk; nanoclaw -q backup --every day --keep 1 ~/disk >/dev/null; ./due; first=$(ls ~/disk/*); echo mine >$first; sed -i 's/"id": /&1/' store/backups/plan.json; mkfifo groups/dev/pipe; long=$(printf %0250d 0); (cd groups/dev; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do mkdir $long; cd $long; done) 2>/dev/null; for i in 1 2; do ./due; done; cat $first; ls ~/disk | wc -l
> is made and proved
> is made and proved
> is made and proved
> mine
> 2
$ nanoclaw doctor | grep -o 'warning *backups .*: ' ; nanoclaw backup --list | grep -o '^lacks: '; rm -r groups/dev/pipe groups/dev/0*; sqlite3 store/nanoclaw.db "SELECT count(*) FROM outbox WHERE content LIKE '%lacks a file%'"
> warning  backups      the last one lacks a file that could not be read: 
> lacks: 
> 1
$ ./due; sed -i 's/"last": "..../"last": "2001/' store/backups/plan.json; nanoclaw doctor | grep -o 'warning *backups .*: 2001'; rm ~/disk/*; nanoclaw doctor | grep -o 'warning *backups .*: '
> is made and proved
> warning  backups      none has been made for long; the last one: 2001
> warning  backups      the newest is not there any more: 
$ echo damaged >store/backups/plan.json; nanoclaw -q backup --every day 2>&1 | tail -1 && nanoclaw backup --every never
> next: [..]
> no more backups are made; those that there are stay
# By hand. What is not proved replaces nothing.
$ nanoclaw -q backup ~/b.tar.gz --prove; ls store/backups | grep trial
? 1
> '[..]/b.tar.gz' holds [..]
$ sum=$(cksum ~/b.tar.gz); sqlite3 store/nanoclaw.db 'CREATE VIEW mine AS SELECT jid FROM chats'; nanoclaw -q backup ~/b.tar.gz --prove --force; test "$(cksum ~/b.tar.gz)" = "$sum" && ls -A ~ | grep tmp
? 1
2> error: it could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
