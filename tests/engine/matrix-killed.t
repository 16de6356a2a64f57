# a run that is killed or interrupted is gone on with: what has ended is not run again, and no copy is left
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- test.sh --
# Count the run; once, where a file says so, send a signal to the one that runs the matrix.
echo $1 >>"$HOME/ran"
if test -e "$HOME/$1"; then
	signal=$(cat "$HOME/$1")
	rm "$HOME/$1"
	kill -$signal $(cut -d' ' -f4 /proc/$PPID/stat)
	exec tail -f /dev/null
fi
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: exec sh test.sh a
-- skills/a/add/x.txt --
x
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
test: exec sh test.sh b
-- skills/b/add/y.txt --
y
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
test: exec sh test.sh c
-- skills/c/add/z.txt --
z
-- run.sh --
# Run the matrix, without times.
ln -sf /bin/false ~/unshare # without a sandbox, a command can kill us
PATH=~:$PATH nanoclaw matrix run -j 1 >"$HOME/out"; code=$?
sed 's/ *[0-9]*\.[0-9] *$//; s/ ([0-9.]* s)//' "$HOME/out"
exit $code
== run ==
$ echo KILL >"$HOME/b"; sh run.sh
? 137
> 3 to run, 0 unchanged
> [1/3] passed 1.0.0/a
2> Killed
$ ls "$TMPDIR" | sed 's/-[0-9a-f]*$//'; cat "$HOME/ran"
> nanoclaw-matrix
> a
> b
$ echo INT >"$HOME/c"; sh run.sh
? 130
> 2 to run, 1 unchanged
> [1/2] passed 1.0.0/b
> entry    result       seconds
> 1.0.0/a  passed             -  unchanged, passed before
> 1.0.0/b  passed
> 1.0.0/c  not run            -
>
> 1 passed, 1 unchanged, 0 failed, 1 not run: the next run continues here
$ ls "$TMPDIR"; cat "$HOME/ran"
> a
> b
> b
> c
$ sh run.sh
> 1 to run, 2 unchanged
> [1/1] passed 1.0.0/c
> entry    result       seconds
> 1.0.0/a  passed             -  unchanged, passed before
> 1.0.0/b  passed             -  unchanged, passed before
> 1.0.0/c  passed
>
> 1 passed, 2 unchanged, 0 failed
$ ls "$TMPDIR"; cat "$HOME/ran"
> a
> b
> b
> c
> c
