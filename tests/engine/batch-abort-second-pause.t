# abort in the second pause leads back to the very beginning
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
two
-- skills/s1/manifest.yaml --
skill: s1
version: 1.0.0
core_version: 1.0.0
adds: [n1]
#modifies: [c.txt]
-- skills/s1/add/n1 --
n
-- skills/s2/manifest.yaml --
skill: s2
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [n2]
-- skills/s2/modify/a.txt --
ONE
-- skills/s2/add/n2 --
n
-- skills/s3/manifest.yaml --
skill: s3
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt, a.txt]
adds: [deep/n3]
test: cat a.txt b.txt
-- skills/s3/modify/b.txt --
TWO
-- skills/s3/modify/a.txt --
one
S3
-- skills/s3/add/deep/n3 --
n
== run ==
$ nanoclaw -q init
$ cp -r .nanoclaw before
$ echo mine > a.txt; echo mine > b.txt; touch -d '2001-02-03 04:05:06' a.txt b.txt
$ nanoclaw -q skill apply --on-drift continue s1 s2 s3
? 3
> s1 1.0.0 paused
> s2 1.0.0 paused
> s3 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo ONE, mine > a.txt
$ nanoclaw -q continue
? 3
> s1 1.0.0 paused
> s2 1.0.0 paused
> s3 1.0.0 paused
>
> To resolve:
>   b.txt: edit it, and remove the conflict markers
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$! nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'a.txt' was edited since then; your version is in '.nanoclaw/kept/a.txt'
$ stat -c %y a.txt b.txt
> 2001-02-03 04:05:06.000000000 +0000
> 2001-02-03 04:05:06.000000000 +0000
$ diff -r -x index before .nanoclaw; rm -r before
> Only in .nanoclaw: kept
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    b.txt
== after ==
-- .nanoclaw/kept/a.txt --
<<<<<<< yours
ONE, mine
||||||| core 1.0.0
one
=======
one
S3
>>>>>>> s3 1.0.0
-- a.txt --
mine
-- b.txt --
mine
