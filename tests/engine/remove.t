# removing a skill in the middle takes out what it did, and nothing else
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
-- tool [755] --
run
-- old/gone.txt --
gone
-- old/name.txt --
named
-- old/link -> name.txt --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [src/x.txt]
modifies: [a.txt]
-- skills/x/add/src/x.txt --
x
-- skills/x/modify/a.txt --
one
from x
two
three
four
five
six
seven
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [new/y/tool]
modifies: [a.txt, tool, old/name.txt]
file_ops: [{type: delete, path: old/gone.txt}, {type: rename, from: old/name.txt, to: new/name.txt}, {type: rename, from: old/link, to: new/link}]
-- skills/y/add/new/y/tool [755] --
y
-- skills/y/modify/a.txt --
one
two
three
from y
five
six
seven
-- skills/y/modify/tool --
run
-- skills/y/modify/old/name.txt --
named
by y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [src/z.txt]
modifies: [a.txt, old/name.txt]
test: grep -q 'from z' a.txt
-- skills/z/add/src/z.txt --
z
-- skills/z/modify/a.txt --
one
two
three
four
five
six
seven
from z
-- skills/z/modify/old/name.txt --
by z
named
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y; nanoclaw -q skill apply z
> x 1.0.0 applied
> y 1.0.0 applied
> z 1.0.0 applied
$ cat new/name.txt
> by z
> named
> by y
$ nanoclaw skill remove y --dry-run
> y 1.0.0 would be removed
>   merged    a.txt
>   removed   new/y/tool
>   restored  old/gone.txt
>   renamed   new/link -> old/link
>   renamed   new/name.txt -> old/name.txt
>   merged    tool
> would run the test of z: grep -q 'from z' a.txt
$! nanoclaw skill remove y
> y 1.0.0 removed
>   merged    a.txt
>   removed   new/y/tool
>   restored  old/gone.txt
>   renamed   new/link -> old/link
>   renamed   new/name.txt -> old/name.txt
>   merged    tool
> 1 test passed
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>   z 1.0.0
> 16 files checked: all as recorded
$ ls .nanoclaw/applied; grep -c 'path_remap\|by y' .nanoclaw/state.yaml
? 1
> x
> z
> 0
$ nanoclaw skill remove y
? 2
2> error: skill 'y' is not applied
2> hint: 'nanoclaw skill list' shows the skills that are
$ nanoclaw --json skill remove x
> {
>   "backupPending": false,
>   "commands": [
>     {
>       "command": "grep -q 'from z' a.txt",
>       "kind": "test",
>       "skill": "z"
>     }
>   ],
>   "files": [
>     {
>       "outcome": "merged",
>       "path": "a.txt"
>     },
>     {
>       "outcome": "removed",
>       "path": "src/x.txt"
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
== after ==
-- a.txt --
one
two
three
four
five
six
seven
from z
-- old/name.txt --
by z
named
-- src/z.txt --
z
