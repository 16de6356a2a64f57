# several operations are undone in one go, and redone, to the byte, mode, link and time; each undo by itself can be redone
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
-- gone.txt --
gone
-- run.sh [755] --
run
-- old.txt --
some text
that is renamed
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [lib/n.txt]
modifies: [a.txt]
-- skills/x/modify/a.txt --
one x
two
three
four
-- skills/x/add/lib/n.txt --
new
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
adds: [lib/deep/m.txt]
modifies: [a.txt, lib/n.txt]
file_ops:
  - type: rename
    from: old.txt
    to: new.txt
  - type: delete
    path: gone.txt
-- skills/y/modify/a.txt --
one x
two
three
four y
-- skills/y/modify/lib/n.txt --
new y
-- skills/y/add/lib/deep/m.txt --
more
== run ==
$ nanoclaw -q init; cp -a . "$TMPDIR/none"; nanoclaw -q skill apply x; cp -a . "$TMPDIR/x"; nanoclaw -q skill apply y; cp -a . "$TMPDIR/y"
> x 1.0.0 applied
> y 1.0.0 applied
$ nanoclaw undo 2 --dry-run
> would undo 'skill apply y'
> would undo 'skill apply x'
>   restored  a.txt
>   restored  gone.txt
>   removed   lib/deep/m.txt
>   removed   lib/n.txt
>   removed   new.txt
>   restored  old.txt
$! nanoclaw undo 2
> 'skill apply y' is undone
> 'skill apply x' is undone
>   restored  a.txt
>   restored  gone.txt
>   removed   lib/deep/m.txt
>   removed   lib/n.txt
>   removed   new.txt
>   restored  old.txt
$ diff -r -x history -x index "$TMPDIR/none" .; stat -c %Y a.txt "$TMPDIR/none/a.txt" | uniq | wc -l
> 1
$ nanoclaw undo --list | sed 's/....-..-.. ..:../DATE/'
>   1  DATE    0 files       0 B  init
> 'nanoclaw redo' restores:
>   2  DATE    2 files     194 B  skill apply x
>   3  DATE    6 files    1.1 KB  skill apply y
$! nanoclaw redo --dry-run
> would redo 'skill apply x'
> would redo 'skill apply y'
>   restored  a.txt
>   removed   gone.txt
>   restored  lib/deep/m.txt
>   restored  lib/n.txt
>   restored  new.txt
>   removed   old.txt
$! nanoclaw redo
> 'skill apply x' is redone
> 'skill apply y' is redone
>   restored  a.txt
>   removed   gone.txt
>   restored  lib/deep/m.txt
>   restored  lib/n.txt
>   restored  new.txt
>   removed   old.txt
$ diff -r -x index "$TMPDIR/y" .; stat -c %Y a.txt "$TMPDIR/y/a.txt" | uniq | wc -l
> 1
# One by one.
$ nanoclaw -q undo; nanoclaw -q undo; nanoclaw undo --list | sed 's/....-..-.. ..:../DATE/'
>   1  DATE    0 files       0 B  init
> 'nanoclaw redo' restores:
>   2  DATE    2 files     194 B  skill apply x
> and then:
>   3  DATE    6 files    1.1 KB  skill apply y
$! nanoclaw redo
> 'skill apply x' is redone
>   restored  a.txt
>   restored  lib/n.txt
$ diff -r -x index -x redo "$TMPDIR/x" .
$ nanoclaw --json redo
> {
>   "commands": [],
>   "dryRun": false,
>   "files": [
>     {
>       "effect": "restored",
>       "path": "a.txt"
>     },
>     {
>       "effect": "removed",
>       "path": "gone.txt"
>     },
>     {
>       "effect": "restored",
>       "path": "lib/deep/m.txt"
>     },
>     {
>       "effect": "restored",
>       "path": "lib/n.txt"
>     },
>     {
>       "effect": "restored",
>       "path": "new.txt"
>     },
>     {
>       "effect": "removed",
>       "path": "old.txt"
>     }
>   ],
>   "number": 3,
>   "operation": "skill apply",
>   "operations": [
>     {
>       "number": 3,
>       "operation": "skill apply",
>       "skills": [
>         "y"
>       ]
>     }
>   ],
>   "skills": [
>     "y"
>   ],
>   "success": true,
>   "testsRun": 0
> }
$ diff -r -x index "$TMPDIR/y" .; nanoclaw verify
> 15 files checked: all as recorded
$ nanoclaw redo
? 2
2> error: there is nothing to redo
2> hint: an undo can be redone until another operation runs, unless it undid the first operation
# Operations that were redone can be undone again.
$ nanoclaw -q undo 2; diff -r -x history -x index "$TMPDIR/none" .; nanoclaw --json undo --list | grep -E '"(step|number)"'
>       "number": 1,
>       "number": 2,
>       "step": 1
>       "number": 3,
>       "step": 1
$! nanoclaw -q undo
$ nanoclaw redo; ls -d .nanoclaw
? 2
2> error: there is nothing to redo
2> hint: an undo can be redone until another operation runs, unless it undid the first operation
2> ls: cannot access '.nanoclaw': No such file or directory
$ nanoclaw undo 3; nanoclaw undo 0; nanoclaw undo x
? 2
2> error: there is nothing to undo
2> error: '0' is not a number of operations from 1 to 10000
2> error: 'x' is not a number of operations from 1 to 10000
== after ==
