# the same with changes that stay unrecorded; deleting the file is the other answer
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt, y.txt]
-- skills/x/add/x.txt --
x
-- skills/x/add/y.txt --
y
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ echo mine >> x.txt
$! nanoclaw --json skill remove x --on-drift continue
? 3
> {
>   "backupPending": true,
>   "decisions": [
>     "x.txt"
>   ],
>   "files": [
>     {
>       "outcome": "decision",
>       "path": "x.txt"
>     },
>     {
>       "outcome": "removed",
>       "path": "y.txt"
>     }
>   ],
>   "mergeConflicts": [
>     "x.txt"
>   ],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": false,
>   "untrackedChanges": [
>     "x.txt"
>   ],
>   "version": "1.0.0",
>   "warnings": []
> }
$ rm x.txt
$! nanoclaw continue
> x 1.0.0 removed
>   deleted   x.txt
$ nanoclaw status; nanoclaw verify
> core 1.0.0
> 2 files checked: all as recorded
