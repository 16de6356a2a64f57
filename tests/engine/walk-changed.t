# a choice about a file that was changed meanwhile is not made, and an edit of it is kept
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
-
-
-
2
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f --
skill 1
-
-
-
skill 2
-- editor [755] --
#!/bin/sh
# While this copy is edited, another program resolves the other hunk in the file itself.
sed -i '1,7c both' "$1"
sed -i '11,$c two' f
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' f
$ EDITOR=./editor ./walk nanoclaw skill apply --on-drift continue x
< e
< q
> x 1.0.0 paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 'f' was changed in the meantime: nothing was done; this is its current state
> your text is in '[..]/f'
>
> f: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ cat f
> <<<<<<< yours
> my 1
> ||||||| core 1.0.0
> 1
> =======
> skill 1
> >>>>>>> x 1.0.0
> -
> -
> -
> two
$ cat "$TMPDIR"/*/f
> both
> -
> -
> -
$ rm -r "$TMPDIR"/*
# Undo does not touch later changes.
$ EDITOR='echo more >> f; false' ./walk nanoclaw continue
< o
< n
> warning: 'f' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] Run 'nanoclaw continue' to continue, or 'nanoclaw abort' to undo everything.
> exit 3
$ nanoclaw -q abort
$ EDITOR='echo more >> f; false' ./walk nanoclaw skill apply --on-drift continue x
< o
< e
< u
< q
> x 1.0.0 paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> f: conflict 2 of 2, line 5
>       -
>       -
>       -
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > warning: 'echo more >> f; false' ended with exit code 1
> nothing was changed
>
> f: conflict 2 of 2, line 5
>       -
>       -
>       -
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>       more
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 'f' was changed since then: nothing was undone; this is its current state
>
> f: conflict 1 of 1, line 5
>       -
>       -
>       -
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>       more
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
== after ==
-- f --
my 1
-
-
-
<<<<<<< yours
my 2
||||||| core 1.0.0
2
=======
skill 2
>>>>>>> x 1.0.0
more
