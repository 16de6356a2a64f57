# unusable remains of operations, pauses and undo steps are moved away
unlisted: .nanoclaw a.txt b.txt
-- VERSION --
1.0.0
-- a.txt --
first
last
-- b.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
first
x
last
-- cure.sh --
nanoclaw status > out 2>&1 || grep -q "nanoclaw doctor --fix" out || cat out
nanoclaw -q --yes doctor --fix
nanoclaw verify
find .nanoclaw/kept -type f | sort
rm -rf out .nanoclaw/kept
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q customize start louder; echo two >> b.txt; nanoclaw -q customize commit
> x 1.0.0 applied
> recorded as 001-louder
# An invalid journal, a folder in its place, or a journal without its files.
$ mkdir .nanoclaw/tx; echo half > .nanoclaw/tx/journal; sh cure.sh
> warning  interrupted  cannot undo an operation that was interrupted: the journal is incomplete
> warning  recovery     lost: '.nanoclaw/tx' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/tx': look there for the old files
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/tx/journal
$ mkdir -p .nanoclaw/tx/journal; sh cure.sh
> warning  interrupted  cannot undo an operation that was interrupted: cannot read 'tx/journal': is a directory
> warning  recovery     lost: '.nanoclaw/tx' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/tx': look there for the old files
> 12 files checked: all as recorded
$ mkdir .nanoclaw/tx; cp .nanoclaw/history/1/done .nanoclaw/tx/journal; sh cure.sh
> warning  interrupted  cannot undo: cannot open folder '.nanoclaw/tx/saved': no such file or directory
> warning  recovery     lost: '.nanoclaw/tx' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/tx': look there for the old files
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/tx/journal
$ mkdir .nanoclaw/tx; echo half > .nanoclaw/tx/undone; sh cure.sh
> warning  interrupted  the journal is incomplete
> warning  recovery     lost: '.nanoclaw/tx' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/tx': look there for the old files
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/tx/undone
# A pause without anything, and one that is a file.
$ mkdir .nanoclaw/backup; sh cure.sh
> warning  recovery     lost: '.nanoclaw/backup' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/backup': look there for the old files
> 12 files checked: all as recorded
$ echo half > .nanoclaw/backup; sh cure.sh
> warning  recovery     lost: '.nanoclaw/backup' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/backup': look there for the old files
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/backup
# Steps of undo. Those that are whole stay.
$ nanoclaw undo --list | cut -c 1-5
>   3  
>   2  
>   1  
$ rm .nanoclaw/history/3/saved/*; nanoclaw undo
? 1
2> error: the history no longer has the old version of '.nanoclaw/state.yaml': no such file or directory
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw/history/3', a step of 'nanoclaw undo', is incomplete
>                       try: nanoclaw doctor --fix
$ sh cure.sh; nanoclaw undo --list | cut -c 1-5
> warning  recovery     lost: '.nanoclaw/history/3' is incomplete, and is now '.nanoclaw/kept/.nanoclaw/history/3': look there for the old files
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/history/3/done
> .nanoclaw/kept/.nanoclaw/history/3/meta.yaml
>   2  
>   1  
$ rm -r .nanoclaw/history; echo x > .nanoclaw/history; nanoclaw skill remove x
? 2
2> error: '.nanoclaw/history' is not a folder
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ sh cure.sh; nanoclaw -q skill remove x; cat a.txt b.txt
> 12 files checked: all as recorded
> .nanoclaw/kept/.nanoclaw/history
> x 1.0.0 removed
> first
> last
> one
> two
