# where nothing is missing only the tests are run, and nothing is changed, not even the history
unlisted: .nanoclaw a.txt x.txt
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
test: test -f x.txt && test ! -e data/fail && { test ! -e data/edit || echo edited >>a.txt; } && test ! -e data/edit
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$! nanoclaw replay
> 1 skill and 0 patches replayed: 2 files are as recorded
> 1 test passed
$! nanoclaw --json replay
> {
>   "differences": [],
>   "dryRun": false,
>   "files": 2,
>   "nothingToDo": true,
>   "patches": 0,
>   "skills": 1,
>   "success": true,
>   "testsRun": 1,
>   "untrackedChanges": [],
>   "warnings": []
> }
$ nanoclaw undo --list | cut -c24-
>   2 files       4 B  skill apply x
# A test that fails may have changed files: they are put back, also one whose time and size
# are those of the core's file.
$ mkdir data; touch data/edit; touch -r .nanoclaw/base/a.txt a.txt; nanoclaw replay; cat a.txt; nanoclaw verify
> ONE
> 6 files checked: all as recorded
2> warning: 'a.txt' was changed in the meantime; that version is in '.nanoclaw/kept/a.txt'
2> error: the test of skill 'x' failed with exit code 1: test -f x.txt && test ! -e data/fail && { test ! -e data/edit || echo edited >>a.txt; } && test ! -e data/edit
2> hint: everything is as it was before
$ rm -r data; nanoclaw undo; nanoclaw status
> 'skill apply x' is undone
>   restored  a.txt
>   removed   x.txt
> no skills have been applied here
