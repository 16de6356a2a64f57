# a line that a person added while resolving a conflict of two skills survives the removal of either
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
-- skills/x/modify/a.txt --
one
x
two
three
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
y
two
three
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q skill apply y >/dev/null; printf 'one\nx\ny\nmine\ntwo\nthree\n' > a.txt; nanoclaw -q continue
> y 1.0.0 applied
$! nanoclaw -q skill remove x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt; nanoclaw abort
> one
> <<<<<<< yours (y 1.0.0)
> x
> y
> mine
> ||||||| with x
> x
> =======
> >>>>>>> without x
> two
> three
> everything is as it was before 'skill remove'
$! nanoclaw -q skill remove y
? 3
> y 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt; printf 'one\nx\nmine\ntwo\nthree\n' > a.txt; nanoclaw -q continue
> one
> <<<<<<< yours
> x
> y
> mine
> ||||||| with y
> y
> =======
> >>>>>>> without y
> two
> three
> y 1.0.0 removed
$ nanoclaw -q skill remove x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt; printf 'one\nmine\ntwo\nthree\n' > a.txt; nanoclaw -q continue
> one
> <<<<<<< yours
> x
> mine
> ||||||| with x
> x
> =======
> >>>>>>> without x
> two
> three
> x 1.0.0 removed
$ nanoclaw diff --by; nanoclaw verify
? 1
> a.txt
> core  1  one
> you   2  mine
> core  3  two
>       4  three
>   3 core, 1 you
> 4 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, b6285c57e879, now 2c8cd827590d)
== after ==
-- a.txt --
one
mine
two
three
