# a file of the user that a skill adds, too, stays when the skill's next version drops it; recorded ones as well
ignore: *
-- VERSION --
1.0.0
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, m.txt, own.txt]
-- skills/q/add/n.txt --
mine
-- skills/q/add/m.txt --
recorded
-- skills/q/add/own.txt --
of the skill
-- new/q/manifest.yaml --
skill: q
version: 2.0.0
core_version: 1.0.0
adds: [z.txt]
-- new/q/add/z.txt --
z
== run ==
$ nanoclaw -q init; echo mine >n.txt; nanoclaw -q customize start m; echo recorded >m.txt; nanoclaw -q customize commit
> recorded as 001-m
$ nanoclaw skill apply q
> q 1.0.0 applied
>   as it is  n.txt
>   as it is  m.txt
>   added     own.txt
$ nanoclaw skill apply new/q
> q 2.0.0 (before: 1.0.0) applied
>   added     z.txt
>   kept      n.txt
>   kept      m.txt
>   removed   own.txt
2> warning: 'n.txt' is no longer part of 'q', but it is also yours; it stays
2> warning: 'm.txt' is no longer part of 'q', but it is also yours; it stays
$ ls *.txt; nanoclaw -q status
> m.txt
> n.txt
> z.txt
> core 1.0.0
>   q 2.0.0
>   001-m (custom patch)
