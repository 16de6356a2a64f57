# a new version that conflicts with a skill above it: resolved, each skill has its own lines again, and either can go
ignore: .nanoclaw
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
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
core_version: 1.0.0
adds: []
modifies: [a.txt]
-- skills/low/modify/a.txt --
1
2 low
3
4
5
6
7
8
9
-- skills/high/manifest.yaml --
skill: high
version: 1.0.0
core_version: 1.0.0
adds: []
modifies: [a.txt]
-- skills/high/modify/a.txt --
1
2
3
4
5 high
6
7
8 high
9
-- new/low/manifest.yaml --
skill: low
version: 2.0.0
core_version: 1.0.0
adds: []
modifies: [a.txt]
-- new/low/modify/a.txt --
1
2 low, again
3
4
5 low
6
7
8
9
== run ==
$ nanoclaw -q skill apply low high
> low 1.0.0 applied
> high 1.0.0 applied
$ nanoclaw -q customize start mine; echo mine >> a.txt; nanoclaw -q customize commit
> recorded as 001-mine
$ mkdir asked; cp -r .nanoclaw VERSION a.txt skills new asked
$ nanoclaw -q skill apply new/low
? 3
> low 2.0.0 (before: 1.0.0) paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^<<<<<<</d' -e '/^|||||||/,/^>>>>>>>/d' -e 's/^5 high/5 low and high/' a.txt
$! nanoclaw -q continue
> low 2.0.0 (before: 1.0.0) applied
# Each layer's version of the file is known.
$ grep -c files_unsplit .nanoclaw/state.yaml
? 1
> 0
$ nanoclaw diff --by a.txt
> a.txt
> core             1  1
> low              2  2 low, again
> core             3  3
>                  4  4
> you (resolved)   5  5 low and high
> core             6  6
>                  7  7
> high             8  8 high
> core             9  9
> 001-mine        10  mine
>   6 core, 1 skill low, 1 skill high, 1 patch 001-mine, 1 you (resolved)
$ mkdir copy; cp -r .nanoclaw VERSION a.txt skills new copy
$ nanoclaw -q skill remove high; cat a.txt
> high 1.0.0 removed
> 1
> 2 low, again
> 3
> 4
> 5 low
> 6
> 7
> 8
> 9
> mine
$ cd copy; nanoclaw -q skill remove low; cat a.txt
> low 2.0.0 removed
> 1
> 2
> 3
> 4
> 5 high
> 6
> 7
> 8 high
> 9
> mine
$ cd copy; nanoclaw -q undo; nanoclaw -q customize remove mine; nanoclaw -q skill remove low; cat a.txt
> 001-mine removed
> low 2.0.0 removed
> 1
> 2
> 3
> 4
> 5 high
> 6
> 7
> 8 high
> 9
# The same if a resolver does it.
$ cd asked; nanoclaw -q skill apply new/low --resolver "sed -i -e '/^<<<<<<</d' -e '/^|||||||/,/^>>>>>>>/d' -e 's/^5 high/5 low and high/' a.txt"; grep -c files_unsplit .nanoclaw/state.yaml
? 1
> low 2.0.0 (before: 1.0.0) applied
> 0
$ cd asked; nanoclaw -q skill remove low; cat a.txt
> low 2.0.0 removed
> 1
> 2
> 3
> 4
> 5 high
> 6
> 7
> 8 high
> 9
> mine
$ rm -r asked copy
== after ==
-- a.txt --
1
2 low, again
3
4
5 low
6
7
8
9
mine
