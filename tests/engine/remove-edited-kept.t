# a file that the skill added, with unrecorded changes, is untracked when it is kept, and can be recorded
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [lib/x.txt]
-- skills/x/add/lib/x.txt --
x
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ echo mine >> lib/x.txt
$ nanoclaw -q skill remove x --on-drift continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   lib/x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
# Neither answer: it stays paused.
$ mv lib/x.txt mine; mkdir lib/x.txt; nanoclaw continue; rmdir lib/x.txt; mv mine lib/x.txt
> x 1.0.0 paused
>
> To resolve:
>   lib/x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'lib/x.txt' is not a file now; delete it, or restore the file
$! nanoclaw continue
> x 1.0.0 removed
>   kept      lib/x.txt
$ nanoclaw status; nanoclaw verify
> core 1.0.0
> 2 files checked: all as recorded
$ nanoclaw -q replay --into "$TMPDIR/without"; ls "$TMPDIR/without"
> VERSION
> skills
$ nanoclaw customize record 'what x left'
> recorded as 001-what-x-left
>   lib/x.txt
> The patch is .nanoclaw/custom/001-what-x-left.patch
$ nanoclaw -q replay --into "$TMPDIR/with"; cat "$TMPDIR/with/lib/x.txt"
> x
> mine
== after ==
-- lib/x.txt --
x
mine
