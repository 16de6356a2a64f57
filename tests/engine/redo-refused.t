# a redo is refused once another operation has run, and if a file was edited since the undo
unlisted: .nanoclaw
recover: nanoclaw status
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- b.txt --
b
-- c.txt --
c
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: sh test.sh
-- skills/x/modify/a.txt --
one x
two
three
-- test.sh --
exit 0
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [c.txt]
-- skills/z/modify/c.txt --
c z
== run ==
$ nanoclaw -q init; nanoclaw -q --yes skill apply x
> x 1.0.0 applied
$ nanoclaw --yes redo
? 2
2> error: there is nothing to redo
2> hint: an undo can be redone until another operation runs, unless it undid the first operation
$ nanoclaw -q --yes undo
# A file that the redo does not touch may be edited; another one may not.
$ echo mine >>b.txt; echo mine >>a.txt; nanoclaw --yes redo
? 2
2> error: 'a.txt' has changed since 'undo'
2> hint: nothing was changed; 'nanoclaw redo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ nanoclaw --yes --json redo
? 2
> {
>   "error": "'a.txt' has changed since 'undo'",
>   "hint": "nothing was changed; 'nanoclaw redo --set-aside' does it, and puts your version in '.nanoclaw/kept'",
>   "success": false,
>   "untrackedChanges": [
>     "a.txt"
>   ]
> }
2> error: 'a.txt' has changed since 'undo'
2> hint: nothing was changed; 'nanoclaw redo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$! nanoclaw --yes redo --set-aside
> 'skill apply x' is redone
>   restored  a.txt
2> warning: your version of 'a.txt' is kept in '.nanoclaw/kept/a.txt'
$ cat a.txt b.txt .nanoclaw/kept/a.txt; nanoclaw -q --yes undo
> one x
> two
> three
> b
> mine
> one
> two
> three
> mine
# A test that fails: nothing is redone, and it can be tried again.
$ echo 'exit 1' >test.sh; nanoclaw --yes redo
? 5
2> error: the test of skill 'x' failed with exit code 1: sh test.sh
2> hint: everything is as it was before
$ cat a.txt; echo 'exit 0' >test.sh; nanoclaw -q --yes redo; cat a.txt
> one
> two
> three
> one x
> two
> three
# Another operation drops it.
$ nanoclaw -q --yes undo; nanoclaw -q --yes skill apply --on-drift continue z; nanoclaw --yes redo
? 2
> z 1.0.0 applied
2> error: there is nothing to redo
2> hint: an undo can be redone until another operation runs, unless it undid the first operation
$ nanoclaw undo --list | sed 's/....-..-.. ..:../DATE/'; ls .nanoclaw/history
>   2  DATE    1 file      177 B  skill apply z
>   1  DATE    0 files       0 B  init
> 1
> 2
== after ==
-- b.txt --
b
mine
-- c.txt --
c z
