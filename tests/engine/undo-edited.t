# later edits are never discarded: undo reports them, or saves them
unlisted: .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml
-- VERSION --
1.0.0
-- a.txt --
a
-- b.txt --
b
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
adds: [sub/new.txt, sub/mode]
-- skills/x/modify/a.txt --
A
-- skills/x/modify/b.txt --
B
-- skills/x/add/sub/new.txt --
new
-- skills/x/add/sub/mode --
mode
== run ==
$ nanoclaw -q init
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ echo mine >>sub/new.txt
$ nanoclaw undo
? 2
2> error: 'sub/new.txt' has changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ nanoclaw --yes undo
? 2
2> error: 'sub/new.txt' has changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ chmod +x sub/mode; rm b.txt; echo elsewhere >sub/mine.txt
$ nanoclaw --json undo
? 2
> {
>   "error": "'b.txt' and 2 more have changed since 'skill apply'",
>   "hint": "nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your version in '.nanoclaw/kept'",
>   "success": false,
>   "untrackedChanges": [
>     "b.txt",
>     "sub/mode",
>     "sub/new.txt"
>   ]
> }
2> error: 'b.txt' and 2 more have changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ mkdir b.txt; nanoclaw undo --set-aside; rmdir b.txt
2> error: 'b.txt' has changed since 'skill apply'
2> hint: nothing was changed; it is not a file: move it away first
$ cp .nanoclaw/state.yaml "$TMPDIR/s"; echo '# mine' >>.nanoclaw/state.yaml
$ nanoclaw undo --set-aside
? 2
2> error: '.nanoclaw/state.yaml' has changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw verify' shows more
$ cp "$TMPDIR/s" .nanoclaw/state.yaml
$ mkdir -p .nanoclaw/kept; echo taken >.nanoclaw/kept/sub
$ nanoclaw undo --set-aside --dry-run
> would undo 'skill apply x'
>   restored  a.txt
>   restored  b.txt
>   removed   sub/mode
>   removed   sub/new.txt
2> warning: your version of 'sub/mode' would be kept in '.nanoclaw/kept.2/sub/mode'
2> warning: your version of 'sub/new.txt' would be kept in '.nanoclaw/kept.2/sub/new.txt'
$! nanoclaw --json undo --set-aside
> {
>   "commands": [],
>   "dryRun": false,
>   "files": [
>     {
>       "effect": "restored",
>       "path": "a.txt"
>     },
>     {
>       "effect": "restored",
>       "path": "b.txt"
>     },
>     {
>       "effect": "removed",
>       "kept": ".nanoclaw/kept.2/sub/mode",
>       "path": "sub/mode"
>     },
>     {
>       "effect": "removed",
>       "kept": ".nanoclaw/kept.2/sub/new.txt",
>       "path": "sub/new.txt"
>     }
>   ],
>   "number": 2,
>   "operation": "skill apply",
>   "operations": [
>     {
>       "number": 2,
>       "operation": "skill apply",
>       "skills": [
>         "x"
>       ]
>     }
>   ],
>   "skills": [
>     "x"
>   ],
>   "success": true,
>   "testsRun": 0
> }
2> warning: your version of 'sub/mode' is kept in '.nanoclaw/kept.2/sub/mode'
2> warning: your version of 'sub/new.txt' is kept in '.nanoclaw/kept.2/sub/new.txt'
== after ==
-- sub/mine.txt --
elsewhere
-- .nanoclaw/kept/sub --
taken
-- .nanoclaw/kept.2/sub/new.txt --
new
mine
-- .nanoclaw/kept.2/sub/mode [755] --
mode
