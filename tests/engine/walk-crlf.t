# CR LF and a missing last newline stay as in the chosen side
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- dos [crlf] --
1
2
-- bare --
1
-- full [no-newline] --
1
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [dos, bare, full]
-- skills/x/modify/dos [crlf] --
skill 1
2
-- skills/x/modify/bare [no-newline] --
skill 1
-- skills/x/modify/full --
skill 1
== run ==
$ nanoclaw -q init
$ printf 'my 1\r\n2\r\n' > dos; echo my 1 > bare; printf 'my 1' > full
$ ./walk nanoclaw skill apply --on-drift continue x
< b
< t
< o
< n
> x 1.0.0 paused
>   CONFLICT  dos
>   CONFLICT  bare
>   CONFLICT  full
>
> To resolve:
>   dos: edit it, and remove the conflict markers
>   bare: edit it, and remove the conflict markers
>   full: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> dos: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> bare: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> full: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] Run 'nanoclaw continue' to continue, or 'nanoclaw abort' to undo everything.
> exit 3
$ cat bare full
> skill 1my 1[no-newline]
$ nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'bare' was edited since then; your version is in '.nanoclaw/kept/bare'
2> warning: 'dos' was edited since then; your version is in '.nanoclaw/kept/dos'
$ printf 'my 1\r\n2\r\n' > dos; echo my 1 > bare; printf 'my 1' > full
$ ./walk nanoclaw skill apply --on-drift continue x
< t
< o
< t
<
> x 1.0.0 paused
>   CONFLICT  dos
>   CONFLICT  bare
>   CONFLICT  full
>
> To resolve:
>   dos: edit it, and remove the conflict markers
>   bare: edit it, and remove the conflict markers
>   full: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> dos: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       2
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> bare: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> full: conflict 1 of 1, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
== after ==
-- dos [crlf] --
skill 1
2
-- bare --
my 1
-- full --
skill 1
