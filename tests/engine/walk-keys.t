# each letter resolves its hunk at once and leaves the others, and undo goes back
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
-
-
-
3
-
-
-
4
-
-
-
5
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
-
-
-
skill 3
-
-
-
skill 4
-
-
-
skill 5
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' f
$ ./walk nanoclaw skill apply --on-drift continue x
< o
< t
< u
< b
< B
< oh
< z
< r
< m
<
< q
> x 1.0.0 paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 5, line 1
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
> f: conflict 2 of 5, line 5
>       -
>       -
>       -
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 3 of 5, line 9
>       -
>       -
>       -
>   o yours
>   o | my 3
>     core 1.0.0
>     | 3
>   t x 1.0.0
>   t | skill 3
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 2 of 5, line 5
>       -
>       -
>       -
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 3 of 5, line 10
>       -
>       -
>       -
>   o yours
>   o | my 3
>     core 1.0.0
>     | 3
>   t x 1.0.0
>   t | skill 3
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 4 of 5, line 15
>       -
>       -
>       -
>   o yours
>   o | my 4
>     core 1.0.0
>     | 4
>   t x 1.0.0
>   t | skill 4
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 5 of 5, line 25
>       -
>       -
>       -
>   o yours
>   o | my 5
>     core 1.0.0
>     | 5
>   t x 1.0.0
>   t | skill 5
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ cat f
> my 1
> -
> -
> -
> my 2
> skill 2
> -
> -
> -
> skill 3
> my 3
> -
> -
> -
> <<<<<<< yours
> my 4
> ||||||| core 1.0.0
> 4
> =======
> skill 4
> >>>>>>> x 1.0.0
> -
> -
> -
> <<<<<<< yours
> my 5
> ||||||| core 1.0.0
> 5
> =======
> skill 5
> >>>>>>> x 1.0.0
# The remaining conflicts are still paused, and the walk can continue.
$ ./walk nanoclaw continue
< ?
< i
< o
< t
< n
> warning: 'f' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 2, line 15
>       -
>       -
>       -
>   o yours
>   o | my 4
>     core 1.0.0
>     | 4
>   t x 1.0.0
>   t | skill 4
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help >   o  take yours
>   t  take theirs
>   b  take both, yours first
>   B  take both, theirs first
>   e  edit this conflict in $VISUAL, $EDITOR or vi
>   E  edit the whole file
>   i  show everything: long sides, and the intents of the skills
>   s  skip it for now
>   q  skip this and everything else for now
> Each choice is written to the file immediately. Enter alone means 's'.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> f: conflict 1 of 2, line 15
>       -
>       -
>       -
>   o yours
>   o | my 4
>     core 1.0.0
>     | 4
>   t x 1.0.0
>   t | skill 4
>       -
>       -
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> f: conflict 2 of 2, line 19
>       -
>       -
>       -
>   o yours
>   o | my 5
>     core 1.0.0
>     | 5
>   t x 1.0.0
>   t | skill 5
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] Run 'nanoclaw continue' to continue, or 'nanoclaw abort' to undo everything.
> exit 3
$ nanoclaw status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   f  (x; resolved)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ ./walk nanoclaw continue
> x 1.0.0 applied
> exit 0
== after ==
-- f --
my 1
-
-
-
my 2
skill 2
-
-
-
skill 3
my 3
-
-
-
my 4
-
-
-
skill 5
