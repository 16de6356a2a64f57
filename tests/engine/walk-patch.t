# a custom patch that does not fit is resolved the same way
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
one
two
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
== run ==
$ nanoclaw -q init; nanoclaw -q customize start mine; echo two, mine > f; nanoclaw -q customize commit
> recorded as 001-mine
$ echo two, another > f
$ ./walk nanoclaw customize apply 001
< t
<
> 001-mine paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 1, line 1
>   o yours
>   o | two, another
>     before your change
>     | one
>     | two
>   t 001-mine
>   t | two, mine
>
> [o] yours  [t] 001-mine  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] done
> exit 0
== after ==
-- f --
two, mine
