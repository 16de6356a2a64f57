# a merge tool gets base, yours, theirs and the file with markers
needs: script git
unlisted: .nanoclaw
ignore: .git
-- VERSION --
1.0.0
-- f.txt --
1
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
modifies: [f.txt]
-- skills/x/modify/f.txt --
skill 1
-
skill 2
-- bin/meld [755] --
#!/bin/sh
echo "meld $4" $#
cat "$1" "$2" "$3"
paste -d + "$1" "$3" > "$5"
== run ==
$ nanoclaw -q init
$ sed -i 's/[0-9]/my &/' f.txt
# Without one there is no such letter.
$ ./walk nanoclaw skill apply --on-drift continue x
< m
> x 1.0.0 paused
>   CONFLICT  f.txt
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f.txt: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ NANOCLAW_MERGETOOL='head "$BASE" "$LOCAL" "$REMOTE" | sed "s:==> .*/:==> :"; false' ./walk nanoclaw continue
< m
> warning: 'f.txt' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f.txt: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [m] merge tool  [s] later  [q] leave  [?] help > ==> base-f.txt <==
> 1
> -
> 2
>
> ==> yours-f.txt <==
> my 1
> -
> my 2
>
> ==> theirs-f.txt <==
> skill 1
> -
> skill 2
> warning: 'head "$BASE" "$LOCAL" "$REMOTE" | sed "s:==> .*/:==> :"; false' ended with exit code 1
> nothing was changed
>
> f.txt: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [m] merge tool  [s] later  [q] leave  [?] help > 
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
# git's own setting counts for tools that we know.
$ git init -q; git config merge.tool meld
$ PATH="$PWD/bin:$PATH" ./walk nanoclaw continue
< m
<
> warning: 'f.txt' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f.txt: conflict 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>
> [o] yours  [t] x 1.0.0  [b] both  [e] edit  [m] merge tool  [s] later  [q] leave  [?] help > meld --output 5
> my 1
> -
> my 2
> 1
> -
> 2
> skill 1
> -
> skill 2
>
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
$ cat f.txt
> my 1+skill 1
> -+-
> my 2+skill 2
== after ==
-- f.txt --
my 1+skill 1
-+-
my 2+skill 2
