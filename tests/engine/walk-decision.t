# the walk also asks whether to delete a file; empty input is not an answer
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
a
-- b --
b
-- f --
1
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: a}, {type: delete, path: b}]
modifies: [f]
-- skills/x/modify/f --
skill 1
== run ==
$ nanoclaw -q init
$ echo mine >> a; echo mine >> b; echo my 1 > f
$ nanoclaw -q skill apply --on-drift continue x
? 3
> ...
$ ./walk nanoclaw continue
< d
< u
< k
< s
< o
> warning: 'f' still has conflict markers
> x 1.0.0 paused
>   kept      a
>   kept      b
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [s] later  [q] leave  [?] help > 
> b
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [u] undo  [s] later  [q] leave  [?] help > 
> a
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [s] later  [q] leave  [?] help > 
> b
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> To resolve:
>   b: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ cat a b
> a
> mine
> b
> mine
# Markers that do not belong together are for an editor.
$ echo '>>>>>>> x' >> f
$ EDITOR='sed -i 2d' ./walk nanoclaw continue
< k
< d
< E
<
> warning: 'f' still has conflict markers
> x 1.0.0 paused
>   kept      a
>   kept      b
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [s] later  [q] leave  [?] help > 
> b
>   x deletes it, and changes would be lost
>
> [k] keep it  [d] delete it  [u] undo  [s] later  [q] leave  [?] help > 
> f: its conflict markers do not match
>
> [E] edit  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
>   kept      a
>   deleted   b
> exit 0
== after ==
-- !b --
-- a --
a
mine
-- f --
my 1
