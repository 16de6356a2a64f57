# operations of all kinds are undone one after the other, to the byte, mode, link and time
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
-- server [755] --
1
2
3
-- old/a.txt --
a
-- target --
t
-- one -> target --
-- two -> nowhere --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [sub/x/x.txt]
file_ops:
  - {type: rename, from: server, to: bin/app}
  - {type: rename, from: one, to: sub/uno}
  - {type: delete, path: two}
  - {type: delete, path: old/a.txt}
-- skills/x/modify/a.txt --
1
2
3
4
5
x
-- skills/x/add/sub/x/x.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [y.txt]
-- skills/y/modify/a.txt --
y
1
2
3
4
5
-- skills/y/add/y.txt [755] --
y
-- look [755] --
# Everything but the history and the cache, with permissions, links and times.
find . -path ./.nanoclaw/index -o -path ./.nanoclaw/history -prune -o \
	-type d -printf "%P d %m\n" -o -printf "%P %y %m %l %T@\n" | sort
find . -path ./.nanoclaw/index -o -path ./.nanoclaw/history -prune -o \
	-type f -print0 | sort -z | xargs -0 sha256sum
== run ==
$ ./look >"$TMPDIR/0"
$ nanoclaw -q init
$ ./look >"$TMPDIR/1"
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ ./look >"$TMPDIR/2"
$ nanoclaw -q customize start my own
$ sed -i 's/3/3 mine/' a.txt; rm sub/x/x.txt; echo new >new.txt
$ ./look >"$TMPDIR/3"
$ nanoclaw -q customize commit
> recorded as 001-my-own
$ ./look >"$TMPDIR/4"
$ nanoclaw -q skill apply y
> y 1.0.0 applied
$ sed -i 's/5/5 more/' a.txt
$ sed -i 's/^version: 1.0.0/version: 1.1.0/' skills/x/manifest.yaml; echo xx >skills/x/add/sub/x/x.txt
$ ./look >"$TMPDIR/5"
$ nanoclaw -q skill apply x --on-drift record --yes
> x 1.1.0 (before: 1.0.0) applied
$ nanoclaw undo --list
>   6  2001-02-03 04:05    1 file     4.4 KB  skill apply x
>   5  2001-02-03 04:05    2 files    2.5 KB  skill apply y
>   4  2001-02-03 04:05    0 files    1.7 KB  customize commit
>   3  2001-02-03 04:05    0 files    1.7 KB  customize start
>   2  2001-02-03 04:05    8 files     206 B  skill apply x
>   1  2001-02-03 04:05    0 files       0 B  init
# The update, whose drift was recorded, and is drift again.
$! nanoclaw undo
> 'skill apply x' is undone
>   removed   sub/x/x.txt
$ ./look | diff "$TMPDIR/5" -
$ nanoclaw --json status | grep -A2 '"drift"'
>   "drift": [
>     "a.txt"
>   ],
$ sed -i 's/5 more/5/' a.txt
$ sed -i 's/^version: 1.1.0/version: 1.0.0/' skills/x/manifest.yaml; echo x >skills/x/add/sub/x/x.txt
# The second skill, on top of the patch.
$! nanoclaw --json undo
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
>       "path": "y.txt"
>     }
>   ],
>   "number": 5,
>   "operation": "skill apply",
>   "operations": [
>     {
>       "number": 5,
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
$ ./look | grep -v 'skills/x/' >"$TMPDIR/now"; grep -v 'skills/x/' "$TMPDIR/4" | diff - "$TMPDIR/now"
$ nanoclaw verify
> 26 files checked: all as recorded
# The patch: the changes are there, and customizing is open.
$! nanoclaw undo
> 'customize commit' is undone
$ ./look | grep -v 'skills/x/' >"$TMPDIR/now"; grep -v 'skills/x/' "$TMPDIR/3" | diff - "$TMPDIR/now"
$ rm new.txt; sed -i 's/3 mine/3/' a.txt; echo x >sub/x/x.txt
# customize start
$! nanoclaw undo
> 'customize start' is undone
$ nanoclaw verify
> 20 files checked: all as recorded
# The first skill, with all that it renamed, deleted and added.
$! nanoclaw undo
> 'skill apply x' is undone
>   restored  a.txt
>   removed   bin/app
>   restored  old/a.txt
>   restored  one
>   restored  server
>   removed   sub/uno
>   removed   sub/x/x.txt
>   restored  two
$ ./look | grep -v 'skills/x/' >"$TMPDIR/now"; grep -v 'skills/x/' "$TMPDIR/1" | diff - "$TMPDIR/now"
$ nanoclaw verify
> 16 files checked: all as recorded
$! nanoclaw undo
> 'init' is undone
$ ./look | grep -v 'skills/x/' >"$TMPDIR/now"; grep -v 'skills/x/' "$TMPDIR/0" | diff - "$TMPDIR/now"
