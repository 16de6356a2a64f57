# a new version adds a file that a patch above has added: both keep their part of the resolved file
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- skills/x/add/x.txt --
x
-- new/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [f.txt, x.txt]
-- new/add/x.txt --
x
-- new/add/f.txt --
1
2
3
4
5
x
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ printf '1\n2\n3\n4\n5\nmine\n' > f.txt; nanoclaw -q customize record mine
> recorded as 001-mine
$ cp -r new/. skills/x; nanoclaw -q skill update x
? 3
> x 2.0.0 (before: 1.0.0) paused
>
> To resolve:
>   f.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf '1\n2\n3\n4\n5\nx\nmine\n' > f.txt; nanoclaw -q continue
> x 2.0.0 (before: 1.0.0) applied
$ grep -c files_unsplit .nanoclaw/state.yaml
? 1
> 0
$ nanoclaw diff --by f.txt
> f.txt
> x         1  1
>           2  2
>           3  3
>           4  4
>           5  5
>           6  x
> 001-mine  7  mine
>   6 skill x, 1 patch 001-mine
$ nanoclaw customize remove 001
> 001-mine removed
>   merged    f.txt
== after ==
-- skills/x/manifest.yaml --
skill: x
version: 2.0.0
core_version: 1.0.0
adds: [f.txt, x.txt]
-- skills/x/add/f.txt --
1
2
3
4
5
x
-- x.txt --
x
-- f.txt --
1
2
3
4
5
x
