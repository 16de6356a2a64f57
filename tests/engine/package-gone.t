# a package that is gone when its turn comes: continue says so, and is still paused
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
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
-- skills/y/add/n.txt --
n
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x y
? 3
> x 1.0.0 paused
> y 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ mv skills/y ../y
$ echo both > a.txt
$ nanoclaw continue
? 2
2> error: cannot open package '[dir]/skills/y': no such file or directory
2> hint: it is still paused; restore the package and run 'nanoclaw continue', or 'nanoclaw abort'
$ mv ../y skills/y
$ nanoclaw -q continue
> x 1.0.0 applied
> y 1.0.0 applied
== after ==
-- a.txt --
both
-- n.txt --
n
