# a file that the core gives up is kept, and unrecorded changes in it stay the person's
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 one
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/VERSION --
0.6.0
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^a 9$/a 9 mine/' p/a.txt
$ nanoclaw -C p -q --yes update ../new --on-drift continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ nanoclaw -C p status
> core 0.6.0
>   one 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ nanoclaw -C p diff
> diff --git a/a.txt b/a.txt
> index b505d1299154fff4f691d5a4cc6e7507e11963e0..bf79cbfa71d8b69976876ef49944bea6fb38d3a0 100644
> --- a/a.txt
> +++ b/a.txt
> @@ -6,7 +6,7 @@
>  a 6
>  a 7
>  a 8
> -a 9
> +a 9 mine
>  a 10
>  a 11
>  a 12
# The skill has the file now; without it the person's line is not just gone.
$ nanoclaw -C p --yes skill remove one
? 3
> your changes are recorded as 001-changes-to-a-txt
> one 1.0.0 paused
>   DECISION  a.txt
>
> To resolve:
>   a.txt: one deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ grep mine p/a.txt
> a 9 mine
$ nanoclaw -C p -q abort
$ nanoclaw -C p -q undo
# Deleting it instead is fine.
$ nanoclaw -C p -q --yes update ../new --on-drift continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm p/a.txt
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ nanoclaw -C p verify
> 3 files checked: all as recorded
