# --yes never resolves a conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw --yes -q skill apply x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm a.txt
$ nanoclaw --yes -q continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo both > a.txt
$ nanoclaw --yes continue
> x 1.0.0 applied
== after ==
-- a.txt --
both
