# empty files: in the core, in the skill, and the user's
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a --
-- b --
two
-- c --
three
-- d --
four
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a, b, c, d]
adds: [e]
-- skills/x/modify/a --
ONE
-- skills/x/modify/b --
-- skills/x/modify/c --
THREE
-- skills/x/modify/d --
-- skills/x/add/e --
== run ==
$ nanoclaw -q init
$ : > c
$ echo four, mine > d
$ nanoclaw skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>   added     e
>   merged    a
>   merged    b
>   CONFLICT  c
>   CONFLICT  d
>
> To resolve:
>   c: edit it, and remove the conflict markers
>   d: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat c d
> <<<<<<< yours
> ||||||| core 1.0.0
> three
> =======
> THREE
> >>>>>>> x 1.0.0
> <<<<<<< yours
> four, mine
> ||||||| core 1.0.0
> four
> =======
> >>>>>>> x 1.0.0
== after ==
-- a --
ONE
-- b --
-- c --
<<<<<<< yours
||||||| core 1.0.0
three
=======
THREE
>>>>>>> x 1.0.0
-- d --
<<<<<<< yours
four, mine
||||||| core 1.0.0
four
=======
>>>>>>> x 1.0.0
-- e --
