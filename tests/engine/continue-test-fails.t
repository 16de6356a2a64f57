# a test that fails in continue: exit 5, still paused, with what was resolved
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
test: "grep -q good a.txt"
-- skills/y/add/n.txt --
n
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x y
? 3
> x 1.0.0 paused
> y 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo settled > a.txt
$! nanoclaw continue
? 5
2> error: the test of skill 'y' failed with exit code 1: grep -q good a.txt
2> hint: it is still paused, and your files are as they were: fix them and run 'nanoclaw continue', or 'nanoclaw abort'
$ test ! -e n.txt; cat a.txt
> settled
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
>         "kind": "conflict",
>         "path": "a.txt",
>         "skill": "x"
>       }
>     ]
>   },
>   "skills": [],
>   "sources": [],
>   "success": true
> }
$ echo good > a.txt
$ nanoclaw continue
> x 1.0.0 applied
> y 1.0.0 applied
>   added     n.txt
> 1 test passed
== after ==
-- a.txt --
good
-- n.txt --
n
