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
2> error: 'keep' must be a whole number from 1 to 10000, not in quotes
$ nanoclaw backup --every day nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
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
> nanoclaw-2001-01-01-000000.tar.gz
> nanoclaw-[..].tar.gz
> plan.json
$ first=$(ls store/backups/nanoclaw-202*); for i in 1 2; do touch -d 2001-01-01 store/backups/nanoclaw-202*; ./due; done; nanoclaw backup --list | grep -c tar.gz; ls store/backups | grep -c 'tar.gz$'; test -e $first
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
> the backup has failed: it is made, but could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
> the backup has failed: it is made, but could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
> 3
> problem  backups      the last one has failed: it is made, but could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
>                       try: nanoclaw backup --list
$ sqlite3 store/nanoclaw.db "DROP VIEW mine; SELECT content FROM outbox WHERE content LIKE '%backup%'"
> The backup into 'store/backups' has failed: it is made, but could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'. Older ones are kept, and it is tried again at the next time; 'nanoclaw backup --list' shows it.
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
# By hand.
$ nanoclaw -q backup ~/b.tar.gz --prove; ls store/backups | grep trial
? 1
> '[..]/b.tar.gz' holds [..]
$ sqlite3 store/nanoclaw.db 'CREATE VIEW mine AS SELECT jid FROM chats'; nanoclaw -q backup ~/b.tar.gz --prove --force
? 2
2> error: it is made, but could not be restored on trial: the backup: the store has a different schema than nanoclaw's: 'view mine'
