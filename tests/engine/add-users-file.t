# a user's file where a skill adds one is a conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, m.txt]
-- skills/x/add/n.txt --
same
new
-- skills/x/add/m.txt --
m
== run ==
$ nanoclaw -q init
$ printf 'same\nmine\n' > n.txt
$! nanoclaw skill apply x
? 3
> x 1.0.0 paused
>   CONFLICT  n.txt
>   added     m.txt
>
> To resolve:
>   n.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat n.txt
> <<<<<<< yours
> same
> mine
> ||||||| nothing
> =======
> same
> new
> >>>>>>> x 1.0.0
$ printf 'same\nmine\nnew\n' > n.txt
$ nanoclaw continue
> x 1.0.0 applied
== after ==
-- m.txt --
m
-- n.txt --
same
mine
new
