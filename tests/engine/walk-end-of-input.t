# the end of the input in the middle loses nothing: what is resolved stays, the rest is paused
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
1
-- b --
2
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a, b]
-- skills/x/modify/a --
skill 1
-- skills/x/modify/b --
skill 2
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' a b
$ ./walk nanoclaw skill apply --on-drift continue x
< t
> x 1.0.0 paused
>   CONFLICT  a
>   CONFLICT  b
>
> To resolve:
>   a: edit it, and remove the conflict markers
>   b: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> b: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
>
> To resolve:
>   b: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ cat a b
> skill 1
> <<<<<<< yours
> my 2
> ||||||| core 1.0.0
> 2
> =======
> skill 2
> >>>>>>> x 1.0.0
$ nanoclaw status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a  (x; resolved)
>   b  (x)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
# Everything is resolved, but without an answer nothing happens.
$ ./walk nanoclaw continue
< o
> warning: 'b' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   b: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> b: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] 
> Run 'nanoclaw continue' to continue, or 'nanoclaw abort' to undo everything.
> exit 3
$ nanoclaw status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a  (x; resolved)
>   b  (x; resolved)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
# The same for a signal; and the copy for the editor is gone.
$ nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'a' was edited since then; your version is in '.nanoclaw/kept/a'
$ EDITOR='kill -TERM $PPID; sed -i 1,7cboth' ./walk nanoclaw skill apply --on-drift continue x
< e
< t
> x 1.0.0 paused
>   CONFLICT  a
>   CONFLICT  b
>
> To resolve:
>   a: edit it, and remove the conflict markers
>   b: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> To resolve:
>   b: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> Terminated
> exit 143
$ cat a; ls "$TMPDIR"
> both
$ nanoclaw -q abort
== after ==
-- a --
my 1
-- b --
my 2
