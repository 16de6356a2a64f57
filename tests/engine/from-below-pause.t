# a batch that pauses keeps the place of a package that was typed from a folder below
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [src/a.txt]
-- skills/x/modify/src/a.txt --
ONE
-- src/pkg/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
-- src/pkg/add/z.txt --
z
== run ==
$ nanoclaw -q init
$ echo mine > src/a.txt
$ cd src && nanoclaw -q skill apply --on-drift continue x ./pkg
? 3
> x 1.0.0 paused
> z 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   src/a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo both > src/a.txt
$ nanoclaw -q continue
> x 1.0.0 applied
> z 1.0.0 applied
== after ==
-- src/a.txt --
both
-- z.txt --
z
