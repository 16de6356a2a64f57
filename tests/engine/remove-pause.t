# a conflict in a removal pauses; it can be undone, or resolved and continued
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [x.txt]
structured: {system_packages: [xlib]}
-- skills/x/modify/a.txt --
one
two x
three
-- skills/x/add/x.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
test: test ! -e x.txt
-- skills/y/add/y.txt --
y
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y --no-test
> x 1.0.0 applied
> y 1.0.0 applied
$ sed -i 's/two x/two x mine/' a.txt
$! nanoclaw skill remove x --on-drift continue
? 3
> x 1.0.0 paused
>   CONFLICT  a.txt
>   removed   x.txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt; nanoclaw status
> one
> <<<<<<< yours
> two x mine
> ||||||| as recorded
> two x
> =======
> two
> >>>>>>> without x
> three
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>
> 'skill remove' is paused; to resolve:
>   a.txt  (x)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$! nanoclaw abort
> everything is as it was before 'skill remove'
$ cat a.txt; nanoclaw status
> one
> two x mine
> three
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ nanoclaw -q skill remove x --on-drift continue >/dev/null
? 3
$ nanoclaw continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'a.txt' still has conflict markers
$ printf 'one\ntwo mine\nthree\n' > a.txt
$! nanoclaw continue
> x 1.0.0 removed
>   removed   system-packages.txt
> 1 test passed
$ nanoclaw status; nanoclaw verify; cat a.txt
> core 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
> 6 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, b6285c57e879, now 746758e6a47c)
> one
> two mine
> three
== after ==
-- a.txt --
one
two mine
three
-- y.txt --
y
