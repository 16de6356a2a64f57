# on a terminal the person says whether commands of packages run
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
unset NANOCLAW_ALLOW_COMMANDS
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: "true \e[2Jhidden"
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q init
$ printf '2\n' | NO_COLOR=1 ./walk nanoclaw skill apply x; ls
> these skills can run programs as you:
>   x 1.0.0
>     runs as its test: true \033[2Jhidden
> Continue?
>   [1] continue (recommended)
>   [2] stop, and change nothing
> > error: cancelled; nothing was done
> hint: everything is as it was before
> exit 1
> VERSION
> skills
> walk
$ printf '1\n' | NO_COLOR=1 ./walk nanoclaw skill apply x
> these skills can run programs as you:
>   x 1.0.0
>     runs as its test: true \033[2Jhidden
> Continue?
>   [1] continue (recommended)
>   [2] stop, and change nothing
> > x 1.0.0 applied
>   added     x.txt
> 1 test passed
> exit 0
$ printf '' | NO_COLOR=1 ./walk nanoclaw skill remove x
> x 1.0.0 removed
>   removed   x.txt
> exit 0
