# a change that the new version no longer makes is removed
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
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
adds: [d.txt]
-- skills/d/add/d.txt --
1
2
3
4
5
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, d.txt]
depends: [d]
-- skills/x/modify/a.txt --
1 X
2
3
4
5
6
7
-- skills/x/modify/d.txt --
1 X
2
3
4
5
-- new/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [n]
-- new/x/add/n --
n
== run ==
$ nanoclaw -q skill apply d x
> d 1.0.0 applied
> x 1.0.0 applied
$ sed -i 's/^7$/7 mine/' a.txt; sed -i 's/^5$/5 mine/' d.txt
$ nanoclaw skill apply --on-drift continue new/x
> x 2.0.0 (before: 1.0.0) applied
>   added     n
>   merged    a.txt
>   merged    d.txt
$ nanoclaw status
> core 1.0.0
>   d 1.0.0
>   x 2.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    d.txt
$ cat a.txt d.txt
> 1
> 2
> 3
> 4
> 5
> 6
> 7 mine
> 1
> 2
> 3
> 4
> 5 mine
== after ==
-- a.txt --
1
2
3
4
5
6
7 mine
-- d.txt --
1
2
3
4
5 mine
-- n --
n
