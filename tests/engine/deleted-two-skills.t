# a deleted file comes back with the changes of all skills
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
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
1 X
2
3
4
5
6
7
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
1
2
3
4
5
6
7 Y
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ rm a.txt
$! nanoclaw --yes skill apply y
> your changes are recorded as 001-changes-to-a-txt
> y 1.0.0 applied
>   restored  a.txt
$ cat a.txt
> 1 X
> 2
> 3
> 4
> 5
> 6
> 7 Y
== after ==
-- a.txt --
1 X
2
3
4
5
6
7 Y
