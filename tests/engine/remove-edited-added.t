# a file that the skill added and the person edited is a decision, which --yes does not take
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt, y.txt]
-- skills/x/add/x.txt --
x
-- skills/x/add/y.txt --
y
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ echo mine >> x.txt
$! nanoclaw --yes skill remove x
? 3
> your changes are recorded as 001-changes-to-x-txt
> x 1.0.0 paused
>   DECISION  x.txt
>   removed   y.txt
>
> To resolve:
>   x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
>
> 'skill remove' is paused; to resolve:
>   x.txt  (x deletes it: keep it or delete it)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$! nanoclaw abort
> everything is as it was before 'skill remove'
$ cat x.txt y.txt; nanoclaw status
> x
> mine
> y
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    x.txt
$ nanoclaw -q --yes skill remove x
? 3
> x 1.0.0 paused
>
> To resolve:
>   x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$! nanoclaw continue
> x 1.0.0 removed
>   kept      x.txt
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   001-changes-to-x-txt (custom patch)
> 6 files checked: all as recorded
$ nanoclaw undo --list | sed -n '1s/.*  //p'
> skill remove x
== after ==
-- x.txt --
x
mine
