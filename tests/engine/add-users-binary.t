# a user's binary file where a skill adds one is a conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n]
-- skills/x/add/n [hex] --
00 01 02 0a
== run ==
$ nanoclaw -q init
$ printf 'mine' > n
$ nanoclaw skill apply x
? 3
> x 1.0.0 paused
>   CONFLICT  n
>
> To resolve:
>   n: the skill's version is in n.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat n
> mine[no-newline]
$ rm n.from-x
$ nanoclaw continue
> x 1.0.0 applied
== after ==
-- n [no-newline] --
mine
