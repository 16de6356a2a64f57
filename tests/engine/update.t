# another version is an update: the applied one is the ancestor, the user's changes stay
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
6
7
8
9
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, gone/g.txt, kept.txt]
modifies: [a.txt]
-- skills/x/add/n.txt --
1
2
3
4
5
-- skills/x/add/gone/g.txt --
g
-- skills/x/add/kept.txt --
k
-- skills/x/modify/a.txt --
1 X
2
3
4
5
6
7
8
9
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [n.txt, more.txt]
modifies: [a.txt]
-- new/x/add/n.txt --
1 v2
2
3
4
5
-- new/x/add/more.txt --
m
-- new/x/modify/a.txt --
1
2
3
4
5 X2
6
7
8
9
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ sed -i 's/^5$/5 mine/' n.txt; sed -i 's/^9$/9 mine/' a.txt; echo mine >> kept.txt
$ nanoclaw skill apply --on-drift continue new/x --dry-run
> x 2.0.0 (before: 1.0.0) would be applied
>   merged    n.txt
>   added     more.txt
>   merged    a.txt
>   removed   gone/g.txt
>   kept      kept.txt
2> warning: 'kept.txt' is no part of 'x' any more, but is yours, too; it stays
$! nanoclaw skill apply --on-drift continue new/x
> x 2.0.0 (before: 1.0.0) applied
>   merged    n.txt
>   added     more.txt
>   merged    a.txt
>   removed   gone/g.txt
>   kept      kept.txt
2> warning: 'kept.txt' is no part of 'x' any more, but is yours, too; it stays
$ nanoclaw status
> core 1.0.0
>   x 2.0.0
>
> changed by you, and not recorded:
>   edited    a.txt
>   edited    n.txt
$ nanoclaw skill apply new/x
> x 2.0.0 is applied already
$ cat a.txt
> 1
> 2
> 3
> 4
> 5 X2
> 6
> 7
> 8
> 9 mine
== after ==
-- a.txt --
1
2
3
4
5 X2
6
7
8
9 mine
-- gone/ --
-- kept.txt --
k
mine
-- more.txt --
m
-- n.txt --
1 v2
2
3
4
5 mine
