# 'skill update' applies what is newer, keeps the tied patch, and runs the tests of all skills
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.9.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x1
x2
x3
x4
x5
-- skills/x/modify/a.txt --
one
two
three
four
five
from x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
test: test ! -e fail
-- skills/y/add/y.txt --
y
== run ==
$ nanoclaw skill update
> nothing to do: no skill is applied
$ nanoclaw skill update x
? 2
2> error: skill 'x' is not applied
2> hint: 'nanoclaw skill apply x' applies it
$ nanoclaw -q skill apply x y
> x 1.9.0 applied
> y 1.0.0 applied
$ nanoclaw -q customize start --skill x 'the last one'; sed -i s/x5/mine/ x.txt; nanoclaw -q customize commit
> recorded as x-the-last-one
$ nanoclaw skill update
> x 1.9.0 is already applied
> y 1.0.0 is already applied
$ nanoclaw --json skill update x
> {
>   "backupPending": false,
>   "files": [],
>   "mergeConflicts": [],
>   "nothingToDo": true,
>   "reached": true,
>   "skill": "x",
>   "success": true,
>   "untrackedChanges": [],
>   "version": "1.9.0",
>   "warnings": []
> }
$ cd skills/x && sed -i s/1.9.0/1.10.0/ manifest.yaml && sed -i 's/x1/& new/' add/x.txt && sed -i 's/from x/&, newer/' modify/a.txt
$ touch fail
$! nanoclaw skill update
? 5
2> error: the test of skill 'y' failed with exit code 1: test ! -e fail
2> hint: everything is as it was before
$ rm fail
$ nanoclaw skill update --dry-run
> y 1.0.0 is already applied
> x 1.10.0 (before: 1.9.0) would be applied
>   merged    x.txt
>   merged    a.txt
> would run the test of y: test ! -e fail
$! nanoclaw skill update
> y 1.0.0 is already applied
> x 1.10.0 (before: 1.9.0) applied
>   merged    x.txt
>   merged    a.txt
> 1 test passed
$ cat x.txt; nanoclaw verify; nanoclaw status; nanoclaw customize list
> x1 new
> x2
> x3
> x4
> mine
> 11 files checked: all as recorded
> core 1.0.0
>   x 1.10.0
>   y 1.0.0
>   x-the-last-one (custom patch)
> x-the-last-one  2001-02-03   1 file   the last one (x)
>   x.txt
$ nanoclaw skill update
> x 1.10.0 is already applied
> y 1.0.0 is already applied
# Other files under the same version are not applied, and a person is told.
$ echo more >>skills/y/add/y.txt; nanoclaw skill update y; sed -i /more/d skills/y/add/y.txt
> y 1.0.0 is already applied
2> warning: the files in 'skills/y' have changed since y 1.0.0 was applied: raise its version, and they are applied
# An older package is nothing newer.
$ sed -i s/1.0.0/0.9.0/ skills/y/manifest.yaml; nanoclaw skill update y
> y 1.0.0 is already applied
$! nanoclaw --yes skill remove x
> x 1.10.0 removed
>   merged    a.txt
>   removed   x.txt
> 1 test passed
2> warning: custom patch 'x-the-last-one' is discarded; its file stays in '.nanoclaw/custom'
$ nanoclaw verify; nanoclaw status
> 6 files checked: all as recorded
> core 1.0.0
>   y 1.0.0
== after ==
-- skills/x/manifest.yaml --
skill: x
version: 1.10.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x1 new
x2
x3
x4
x5
-- skills/x/modify/a.txt --
one
two
three
four
five
from x, newer
-- skills/y/manifest.yaml --
skill: y
version: 0.9.0
core_version: 0.9.0
adds: [y.txt]
test: test ! -e fail
-- y.txt --
y
