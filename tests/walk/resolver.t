# the walk shows the resolver's result and can undo it; a failed resolver changes nothing
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
-- fail --
2
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f, fail]
-- skills/x/modify/f --
skill 1
-- skills/x/modify/fail --
skill 2
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' f fail
$ nanoclaw -q skill apply --on-drift continue x
? 3
> ...
$ ./walk nanoclaw walk
< r
< u
< r
< r
< o
<
>
> f: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [r] resolver  [s] later  [q] leave  [?] help > asking the resolver ...
>
> fail: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [r] resolver  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [r] resolver  [s] later  [q] leave  [?] help > asking the resolver ...
>
> fail: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [r] resolver  [u] undo  [s] later  [q] leave  [?] help > asking the resolver ...
> error: the resolver does not know
>
> fail: conflict 1 of 1, line 1
>   o yours
>   o | my 2
>     core 1.0.0
>     | 2
>   t x 1.0.0
>   t | skill 2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [r] resolver  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
$ cat f fail
> resolved
> my 2
== after ==
-- f --
resolved
-- fail --
my 2
