# conflict markers name the skill whose lines yours are, and nobody where they are a person's
ignore: *
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
9
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f --
1 x
2
3
4
5
6
7
8
9
-- skills/y/manifest.yaml --
skill: y
version: 2.0.0
core_version: 1.0.0
modifies: [f]
-- skills/y/modify/f --
1
2
3
4
5 y
6
7
8
9
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/z/modify/f --
1 z
2
3
4
5 z
6
7
8
9 z
== run ==
$ nanoclaw -q skill apply x y; sed -i 's/^9$/9 mine/' f
> x 1.0.0 applied
> y 2.0.0 applied
$! nanoclaw -q skill apply z --on-drift record
? 3
> z 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat f
> <<<<<<< yours (x 1.0.0)
> 1 x
> ||||||| core 1.0.0
> 1
> =======
> 1 z
> >>>>>>> z 1.0.0
> 2
> 3
> 4
> <<<<<<< yours (y 2.0.0)
> 5 y
> ||||||| core 1.0.0
> 5
> =======
> 5 z
> >>>>>>> z 1.0.0
> 6
> 7
> 8
> <<<<<<< yours
> 9 mine
> ||||||| core 1.0.0
> 9
> =======
> 9 z
> >>>>>>> z 1.0.0
$ nanoclaw --json conflict show f | grep oursLabel
>       "oursLabel": "yours (x 1.0.0)",
>       "oursLabel": "yours (y 2.0.0)",
>       "oursLabel": "yours",
$ nanoclaw conflict take f ours --hunk 1; nanoclaw conflict take f both --hunk 1; nanoclaw conflict take f ours; cat f; nanoclaw continue
> 1 x
> 2
> 3
> 4
> 5 y
> 5 z
> 6
> 7
> 8
> 9 mine
> z 1.0.0 applied
