# an editor gets the hunk or the whole file, and only what it leaves well counts
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
# Says what it was given, and does the next thing of the list.
basename "$1"
sed 's/^/  | /' "$1"
todo=$(head -n 1 todo)
sed -i 1d todo
eval "$todo"
-- todo --
false
: > "$1"
true
nanoclaw abort; nanoclaw status
sed -i '/^[<|=>]/d' "$1"
sed -i '/^[<|=>]/d' "$1"
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' f
$ VISUAL= EDITOR=no-such-editor ./walk nanoclaw skill apply --on-drift continue x
< e
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > sh: 1: no-such-editor: not found
> warning: 'no-such-editor' ended with exit code 127
> nothing was changed
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
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ VISUAL=./editor EDITOR=false ./walk nanoclaw continue
< e
< e
< e
< e
< e
< u
< E
<
> warning: 'f' still has conflict markers
> x 1.0.0 paused
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
> warning: './editor' ended with exit code 1
> nothing was changed
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
> warning: the text is empty
> nothing was changed
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
> nothing was changed
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
> error: another operation is running in '[dir]'[..]
> hint: wait for it to end, then run the command again
> core 1.0.0
>
> your unrecorded changes:
>   edited    todo
>
> 'skill apply' is paused; to resolve:
>   f  (x)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> nothing was changed
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
>
> f: conflict 2 of 2, line 7
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
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
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > f
>   | <<<<<<< yours
>   | my 1
>   | ||||||| core 1.0.0
>   | 1
>   | =======
>   | skill 1
>   | >>>>>>> x 1.0.0
>   | -
>   | -
>   | -
>   | <<<<<<< yours
>   | my 2
>   | ||||||| core 1.0.0
>   | 2
>   | =======
>   | skill 2
>   | >>>>>>> x 1.0.0
>
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
$ ls "$TMPDIR"
$ cat f
> my 1
> 1
> skill 1
> -
> -
> -
> my 2
> 2
> skill 2
== after ==
-- f --
my 1
1
skill 1
-
-
-
my 2
2
skill 2
-- todo --
