# if a test fails after the undo, everything is as it was: the operation is not undone
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: test -e ready
-- skills/x/add/x.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [sub/y.txt]
-- skills/y/modify/a.txt --
A
-- skills/y/add/sub/y.txt --
y
== run ==
$ nanoclaw -q init
$ nanoclaw -q skill apply --no-test x
> x 1.0.0 applied
$ nanoclaw -q skill apply --no-test y
> y 1.0.0 applied
$ cp -a . "$TMPDIR/was"
$! nanoclaw undo
? 5
2> error: the test of skill 'x' failed with exit code 1: test -e ready
2> hint: everything is as it was before
$ diff -r -x index "$TMPDIR/was" .
$ nanoclaw undo --list
>   3  2001-02-03 04:05    2 files     786 B  skill apply y
>   2  2001-02-03 04:05    1 file      175 B  skill apply x
>   1  2001-02-03 04:05    0 files       0 B  init
$! nanoclaw undo --no-test
> 'skill apply y' is undone
>   restored  a.txt
>   removed   sub/y.txt
== after ==
-- x.txt --
x
