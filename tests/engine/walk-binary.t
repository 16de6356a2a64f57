# a binary file is kept or taken as a whole, and both can be undone
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.bin [hex] --
00 01
-- b.bin [hex] --
00 01
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.bin, b.bin]
-- skills/x/modify/a.bin [hex] --
00 02
-- skills/x/modify/b.bin [hex] --
00 02
== run ==
$ nanoclaw -q init
$ printf '\0\3' > a.bin; printf '\0\3' > b.bin
$ ./walk nanoclaw skill apply --on-drift continue x
< s
< ?
< t
> x 1.0.0 paused
>   CONFLICT  a.bin
>   CONFLICT  b.bin
>
> To resolve:
>   a.bin: the skill's version is in a.bin.from-x; move it over yours, or delete it
>   b.bin: the skill's version is in b.bin.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a.bin
> it cannot be shown side by side; the version of x is in a.bin.from-x
>
> [o] keep yours  [t] take the skill's  [s] later  [q] leave  [?] help > 
> b.bin
> it cannot be shown side by side; the version of x is in b.bin.from-x
>
> [o] keep yours  [t] take the skill's  [s] later  [q] leave  [?] help >   o  keep your file and discard the skill's
>   t  replace your file with the skill's
>   s  skip it for now
>   q  skip this and everything else for now
> Each choice is written to the file immediately. Enter alone means 's'.
>
> [o] keep yours  [t] take the skill's  [s] later  [q] leave  [?] help > 
> To resolve:
>   a.bin: the skill's version is in a.bin.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ ls
> VERSION
> a.bin
> a.bin.from-x
> b.bin
> skills
> walk
# Take theirs, undo that, and keep yours. An invalid answer repeats the question.
$ ./walk nanoclaw continue
< t
< z
< u
< o
< y
> warning: move 'a.bin.from-x' over 'a.bin', or delete it to keep yours
> x 1.0.0 paused
>
> To resolve:
>   a.bin: the skill's version is in a.bin.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> a.bin
> it cannot be shown side by side; the version of x is in a.bin.from-x
>
> [o] keep yours  [t] take the skill's  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] Please type one of the letters.
>
> Everything is resolved. Continue now? [Y/n, u to undo] 
> a.bin
> it cannot be shown side by side; the version of x is in a.bin.from-x
>
> [o] keep yours  [t] take the skill's  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
$ ls
> VERSION
> a.bin
> b.bin
> skills
> walk
== after ==
-- a.bin [hex] --
00 03
-- b.bin [hex] --
00 02
