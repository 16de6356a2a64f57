# the first operation undone leaves nothing of it, not even .nanoclaw
-- VERSION --
1.0.0
-- bin/run [755] --
run
-- plain.txt [600] --
plain
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [bin/run, plain.txt]
adds: [deep/er/new, deep/other]
test: test -e deep/er/new
-- skills/x/modify/bin/run --
run better
-- skills/x/modify/plain.txt --
plainer
-- skills/x/add/deep/er/new [755] --
new
-- skills/x/add/deep/other --
other
-- look [755] --
# Everything but the history and the cache, with permissions, links and times.
find . -path ./.nanoclaw/index -o -path ./.nanoclaw/history -prune -o \
	-type d -printf "%P d %m\n" -o -printf "%P %y %m %l %T@\n" | sort
find . -path ./.nanoclaw/index -o -path ./.nanoclaw/history -prune -o \
	-type f -print0 | sort -z | xargs -0 sha256sum
== run ==
$ ./look >"$TMPDIR/before"
$! nanoclaw skill apply x
> x 1.0.0 applied
>   added     deep/er/new
>   added     deep/other
>   merged    bin/run
>   merged    plain.txt
> 1 test passed
$ nanoclaw undo --list
>   1  2001-02-03 04:05    4 files      10 B  skill apply x
$ nanoclaw undo --dry-run
> would undo 'skill apply x'
>   restored  bin/run
>   removed   deep/er/new
>   removed   deep/other
>   restored  plain.txt
$! nanoclaw undo
> 'skill apply x' is undone
>   restored  bin/run
>   removed   deep/er/new
>   removed   deep/other
>   restored  plain.txt
$ ./look | diff "$TMPDIR/before" -
$ test -e .nanoclaw
? 1
$ nanoclaw undo
? 2
2> error: there is nothing to undo
$ nanoclaw undo --list
> there is nothing to undo
$ nanoclaw --json undo --list
> {
>   "history": [],
>   "redo": [],
>   "success": true
> }
