# the JSON of a pause, its end, and a batch
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/y/add/n.txt --
n
== run ==
$ nanoclaw --json init
> {
>   "coreVersion": "1.0.0",
>   "success": true
> }
$ echo mine > a.txt
$ nanoclaw --json skill apply --on-drift continue x y
? 3
> {
>   "backupPending": true,
>   "mergeConflicts": [
>     "a.txt"
>   ],
>   "results": [
>     {
>       "backupPending": true,
>       "files": [
>         {
>           "outcome": "conflict",
>           "path": "a.txt"
>         }
>       ],
>       "mergeConflicts": [
>         "a.txt"
>       ],
>       "nothingToDo": false,
>       "reached": true,
>       "skill": "x",
>       "success": false,
>       "untrackedChanges": [
>         "a.txt"
>       ],
>       "version": "1.0.0"
>     },
>     {
>       "backupPending": true,
>       "files": [],
>       "mergeConflicts": [],
>       "nothingToDo": false,
>       "reached": false,
>       "skill": "y",
>       "success": false,
>       "untrackedChanges": [
>         "a.txt"
>       ],
>       "version": "1.0.0"
>     }
>   ],
>   "success": false,
>   "warnings": []
> }
$ nanoclaw --json skill apply --on-drift continue x
? 4
> {
>   "error": "an operation is paused in '[dir]'",
>   "hint": "resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open",
>   "success": false
> }
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ nanoclaw --json -q continue
? 3
> {
>   "backupPending": true,
>   "files": [],
>   "mergeConflicts": [
>     "a.txt"
>   ],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": false,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": [
>     "'a.txt' still has conflict markers"
>   ]
> }
$ nanoclaw --json abort
> {
>   "operation": "skill apply",
>   "success": true
> }
$ nanoclaw --json abort
? 2
> {
>   "error": "no operation is paused",
>   "success": false
> }
2> error: no operation is paused
$ nanoclaw --json skill apply --on-drift continue x
? 3
> {
>   "backupPending": true,
>   "files": [
>     {
>       "outcome": "conflict",
>       "path": "a.txt"
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
$ echo both > a.txt
$ nanoclaw --json continue
> {
>   "backupPending": false,
>   "files": [],
>   "mergeConflicts": [],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": true,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": []
> }
== after ==
-- a.txt --
both
