# where the operation pauses again the walk goes on; undo goes back to the file before
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
x 1
-- skills/x/modify/b --
x 2
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a]
test: cat a b
-- skills/y/modify/a --
y 1
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' a b
$ ./walk nanoclaw skill apply --on-drift continue x y
< o
< u
< t
< o
< y
< b
<
> x 1.0.0 paused
>   CONFLICT  a
>   CONFLICT  b
> y 1.0.0 waits until the conflict is resolved
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
>   t | x 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> b: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | x 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> a: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | x 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> b: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | x 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 paused
> y 1.0.0 paused
>   CONFLICT  a
>
> To resolve:
>   a: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a: conflict 1 of 1, line 1
>   o yours (x 1.0.0)
>   o | x 1
>     core 1.0.0
>     | 1
>   t y 1.0.0
>   t | y 1
>
> [o] yours (x 1.0.0)  [t] y 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> y 1.0.0 applied
> 1 test passed
> exit 0
== after ==
-- a --
x 1
y 1
-- b --
my 2
