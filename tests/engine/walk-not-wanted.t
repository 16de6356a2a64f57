# with --yes, --quiet or --json there is no walk, even on a terminal
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
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
== run ==
$ nanoclaw -q init
$ echo mine > f
$ ./walk nanoclaw --yes skill apply --on-drift continue x
< o
> x 1.0.0 paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ ./walk nanoclaw -q continue
< o
> x 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ ./walk nanoclaw --json continue
< o
> warning: 'f' still has conflict markers
> {
>   "backupPending": true,
>   "files": [],
>   "mergeConflicts": [
>     "f"
>   ],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": false,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": [
>     "'f' still has conflict markers"
>   ]
> }
> exit 3
$ nanoclaw -q abort
== after ==
-- f --
mine
