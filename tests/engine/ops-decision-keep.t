# the deletion of an edited file is a decision, which --yes does not take; continue with the file keeps it
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
$! nanoclaw --yes skill apply x
? 3
> your changes are recorded as 001-changes-to-a-txt
> x 1.0.0 paused
>   DECISION  a.txt
>   added     n
>
> To resolve:
>   a.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a.txt  (x deletes it: keep it or delete it)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [],
>   "driftDetails": [],
>   "host": null,
>   "initialized": true,
>   "pending": {
>     "conflicts": [
>       "a.txt"
>     ],
>     "operation": "skill apply",
>     "toSettle": [
>       {
>         "kind": "decision",
>         "path": "a.txt",
>         "skill": "x"
>       }
>     ]
>   },
>   "skills": [],
>   "sources": [],
>   "success": true
> }
$! nanoclaw continue
> x 1.0.0 applied
>   kept      a.txt
$ grep files_deleted .nanoclaw/state.yaml
? 1
== after ==
-- a.txt --
a
mine
-- n --
n
