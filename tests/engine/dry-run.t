# --dry-run changes nothing
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
-- b.txt --
b
-- c.txt --
c
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, deep/m.txt]
modifies: [a.txt, b.txt]
-- skills/x/add/n.txt --
n
-- skills/x/add/deep/m.txt --
m
-- skills/x/modify/a.txt --
1 X
2
3
4
5
-- skills/x/modify/b.txt --
b
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, n.txt, c.txt]
depends: [x]
-- skills/y/modify/a.txt --
1
2
3
4
5 Y
-- skills/y/modify/n.txt --
n Y
-- skills/y/modify/c.txt --
C
== run ==
$! nanoclaw skill apply y x --dry-run
> x 1.0.0 would be applied
>   added     n.txt
>   added     deep/m.txt
>   merged    a.txt
>   as it is  b.txt
> y 1.0.0 would be applied
>   merged    a.txt
>   merged    n.txt
>   merged    c.txt
$ nanoclaw --json skill apply x --dry-run
> {
>   "backupPending": false,
>   "dryRun": true,
>   "files": [
>     {
>       "outcome": "added",
>       "path": "n.txt"
>     },
>     {
>       "outcome": "added",
>       "path": "deep/m.txt"
>     },
>     {
>       "outcome": "merged",
>       "path": "a.txt"
>     },
>     {
>       "outcome": "same",
>       "path": "b.txt"
>     }
>   ],
>   "mergeConflicts": [],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "x",
>   "success": true,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": []
> }
