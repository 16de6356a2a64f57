# continue without the file deletes it for good
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n]
file_ops: [{type: delete, path: a.txt}]
-- skills/x/add/n --
n
== run ==
$ nanoclaw -q init
$ echo mine >> a.txt
$ nanoclaw --json skill apply --on-drift continue x
? 3
> {
>   "backupPending": true,
>   "decisions": [
>     "a.txt"
>   ],
>   "files": [
>     {
>       "outcome": "decision",
>       "path": "a.txt"
>     },
>     {
>       "outcome": "added",
>       "path": "n"
>     }
>   ],
>   "mergeConflicts": [
>     "a.txt"
>   ],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": false,
>   "untrackedChanges": [
>     "a.txt"
>   ],
>   "version": "1.0.0",
>   "warnings": []
> }
$ rm a.txt
$! nanoclaw continue
> x 1.0.0 applied
>   deleted   a.txt
$ grep -A1 files_deleted .nanoclaw/state.yaml
>     files_deleted:
>       - a.txt
$ sed -n '/file_ops/,/type/p' .nanoclaw/state.yaml
>     file_ops:
>       - path: a.txt
>         type: delete
== after ==
-- !a.txt --
-- n --
n
