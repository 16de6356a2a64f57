# a user's file where a skill adds an empty one, and the other way round: conflicts
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [e, n]
-- skills/x/add/e --
-- skills/x/add/n --
new
== run ==
$ nanoclaw -q init
$ echo mine > e; : > n
$ nanoclaw skill apply x
? 3
> x 1.0.0 paused
>   CONFLICT  e
>   CONFLICT  n
>
> To resolve:
>   e: the skill's version is in e.from-x; move it over yours, or delete it
>   n: the skill's version is in n.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat n.from-x; ls -l e.from-x | wc -l
> new
> 1
$ nanoclaw abort
> everything is as it was before 'skill apply'
== after ==
-- e --
mine
-- n --
