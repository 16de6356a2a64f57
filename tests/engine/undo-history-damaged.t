# a damaged history is reported, and no operation depends on it
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
A
== run ==
$ nanoclaw -q init
$ mv .nanoclaw/history h; ln -s ../h .nanoclaw/history
$ nanoclaw skill apply x
? 2
2> error: '.nanoclaw/history' is not a folder
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ nanoclaw undo --list
? 2
2> error: '.nanoclaw/history' is not a folder
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ nanoclaw undo
? 2
2> error: '.nanoclaw/history' is not a folder
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ rm .nanoclaw/history; mv h .nanoclaw/history
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ cp -a .nanoclaw/history h
$ sed -i 's/put/puts/' .nanoclaw/history/2/done; nanoclaw undo; rm -r .nanoclaw/history; cp -a h .nanoclaw/history
2> error: the entry '.nanoclaw/history/2' of the history: the journal is damaged
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ rm .nanoclaw/history/2/saved/0; nanoclaw undo; rm -r .nanoclaw/history; cp -a h .nanoclaw/history
2> error: the history no longer has the old version of 'a.txt': no such file or directory
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ rm .nanoclaw/history/2/done; nanoclaw undo; rm -r .nanoclaw/history; cp -a h .nanoclaw/history
2> error: cannot read the entry '.nanoclaw/history/2' of the history: no such file or directory
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
# Notes without some of their lines.
$ sed -i '/^files/d; /^bytes/d' .nanoclaw/history/2/meta.yaml; nanoclaw undo --list
>   2  2001-02-03 04:05    0 files       0 B  skill apply x
>   1  2001-02-03 04:05    0 files       0 B  init
$ rm .nanoclaw/history/2/meta.yaml; nanoclaw undo --list; nanoclaw undo; rm -r h
>   2                      0 files       0 B  ?
>   1  2001-02-03 04:05    0 files       0 B  init
> '?' is undone
>   restored  a.txt
# Without the entry of the last operation the one before does not fit.
$ nanoclaw -q skill apply x; rm -r .nanoclaw/history/2; nanoclaw undo
? 2
> x 1.0.0 applied
2> error: '.nanoclaw/state.yaml' has changed since 'init'
2> hint: nothing was changed; 'nanoclaw verify' shows more
$ rm -r .nanoclaw/history; nanoclaw undo
? 2
2> error: there is nothing to undo
$ nanoclaw verify
> 5 files checked: all as recorded
== after ==
-- a.txt --
A
