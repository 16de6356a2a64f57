# a person's resolution stays recorded when the skill drops the file
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
2
3
4
5
6
7
8
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f --
1
2 x
3
4
5
6
7
8
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/y/modify/f --
1
2 y
3
4
5
6
7
8
-- two/y/manifest.yaml --
skill: y
version: 2.0.0
core_version: 1.0.0
adds: [n]
-- two/y/add/n --
n
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q skill apply y
? 3
> y 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf '1\n2 y\n3\n4\n5\n6 mine\n7\n8\n' >f; nanoclaw -q continue; nanoclaw status
> y 1.0.0 applied
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
$! nanoclaw skill apply two/y
> y 2.0.0 (before: 1.0.0) applied
>   added     n
>   merged    f
$ cat f; nanoclaw status
> 1
> 2
> 3
> 4
> 5
> 6 mine
> 7
> 8
> core 1.0.0
>   x 1.0.0
>   y 2.0.0
== after ==
-- f --
1
2
3
4
5
6 mine
7
8
-- n --
n
