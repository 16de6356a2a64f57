# a batch that pauses in the second and in the third skill, and finishes
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
$ echo mine > a.txt; echo mine > b.txt
$ nanoclaw skill apply --on-drift continue s1 s2 s3
? 3
> s1 1.0.0 paused
>   added     n1
> s2 1.0.0 paused
>   added     n2
>   CONFLICT  a.txt
> s3 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    b.txt
>
> 'skill apply' is paused; to resolve:
>   a.txt  (s2)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ echo ONE, mine > a.txt
$! nanoclaw continue
? 3
> s1 1.0.0 paused
> s2 1.0.0 paused
> s3 1.0.0 paused
>   added     deep/n3
>   CONFLICT  b.txt
>   CONFLICT  a.txt
>
> To resolve:
>   b.txt: edit it, and remove the conflict markers
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [],
>   "driftDetails": [],
>   "host": null,
>   "initialized": true,
>   "pending": {
>     "conflicts": [
>       "b.txt",
>       "a.txt"
>     ],
>     "operation": "skill apply",
>     "toSettle": [
>       {
>         "kind": "conflict",
>         "path": "b.txt",
>         "skill": "s3"
>       },
>       {
>         "kind": "conflict",
>         "path": "a.txt",
>         "skill": "s3"
>       }
>     ]
>   },
>   "skills": [],
>   "sources": [],
>   "success": true
> }
$ cat a.txt b.txt
> <<<<<<< yours
> ONE, mine
> ||||||| core 1.0.0
> one
> =======
> one
> S3
> >>>>>>> s3 1.0.0
> <<<<<<< yours
> mine
> ||||||| core 1.0.0
> two
> =======
> TWO
> >>>>>>> s3 1.0.0
$ echo TWO, mine > b.txt
$ nanoclaw continue
? 3
> s1 1.0.0 paused
> s2 1.0.0 paused
> s3 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'a.txt' still has conflict markers
$ printf 'ONE, mine\nS3\n' > a.txt
$! nanoclaw continue
> s1 1.0.0 applied
> s2 1.0.0 applied
> s3 1.0.0 applied
> 1 test passed
$ nanoclaw status
> core 1.0.0
>   s1 1.0.0
>   s2 1.0.0
>   s3 1.0.0
>
> your unrecorded changes:
>   edited    b.txt
== after ==
-- a.txt --
ONE, mine
S3
-- b.txt --
TWO, mine
-- deep/n3 --
n
-- n1 --
n
-- n2 --
n
