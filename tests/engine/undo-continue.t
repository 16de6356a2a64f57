# an operation that paused twice is one step back; what was edited in the pauses is kept
unlisted: .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/hunks .nanoclaw/rr-cache
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- c.txt [755] --
c
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, c.txt]
adds: [new/n.txt]
-- skills/first/add/new/n.txt --
new
-- skills/first/modify/a.txt --
ONE
-- skills/first/modify/c.txt --
C
-- skills/second/manifest.yaml --
skill: second
version: 2.0.0
core_version: 1.0.0
modifies: [b.txt]
adds: [last.txt]
-- skills/second/modify/b.txt --
B
-- skills/second/add/last.txt --
last
== run ==
$ nanoclaw -q init
$ echo mine >a.txt; echo mine >b.txt
$ cp -a . "$TMPDIR/was"
$ nanoclaw -q skill apply --on-drift continue first second
? 3
> first 1.0.0 paused
> second 2.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw undo
? 4
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ echo ONE and mine >a.txt; chmod 600 new/n.txt
$ nanoclaw -q continue
? 3
> first 1.0.0 paused
> second 2.0.0 paused
>
> To resolve:
>   b.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo B and mine >b.txt; echo also mine >>c.txt
$ nanoclaw -q continue
> first 1.0.0 applied
> second 2.0.0 applied
$ nanoclaw undo --list
>   2  2001-02-03 04:05    5 files     187 B  skill apply first, second
>   1  2001-02-03 04:05    0 files       0 B  init
$ echo later >last.txt; nanoclaw undo; echo last >last.txt
2> error: 'last.txt' has changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$! nanoclaw undo
> 'skill apply first, second' is undone
>   restored  a.txt
>   restored  b.txt
>   restored  c.txt
>   removed   last.txt
>   removed   new/n.txt
2> warning: your version of 'a.txt' is kept in '.nanoclaw/kept/a.txt'
2> warning: your version of 'b.txt' is kept in '.nanoclaw/kept/b.txt'
2> warning: your version of 'c.txt' is kept in '.nanoclaw/kept/c.txt'
$ diff -r -x index -x kept -x hunks -x rr-cache -x redo "$TMPDIR/was" .
$ nanoclaw --json status | grep -A3 '"drift"'
>   "drift": [
>     "a.txt",
>     "b.txt"
>   ],
== after ==
-- a.txt --
mine
-- b.txt --
mine
-- .nanoclaw/kept/a.txt --
ONE and mine
-- .nanoclaw/kept/b.txt --
B and mine
-- .nanoclaw/kept/c.txt --
C
also mine
