# 'path_remap' sends a file that is gone to one that both cores have: it goes, and the other is merged
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/a.txt --
a1
a2
-- p/b.txt --
b1
b2
b3
b4
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- p/skills/x/modify/b.txt --
b1 x
b2
b3
b4
-- new/VERSION --
2.0.0
-- new/b.txt --
b1
b2
b3
b4
a1
-- new/.nanoclaw-meta/path_remap.yaml --
path_remap:
  a.txt: b.txt
== run ==
$ nanoclaw -C p -q init
$! nanoclaw -C p --yes update ../new
> Core updated: 1.0.0 → 2.0.0
>   ✓ All patches applied
$ nanoclaw -C p -q undo; nanoclaw -C p -q skill apply x; echo mine >> p/a.txt
> x 1.0.0 applied
$! nanoclaw -C p -q update ../new --yes --on-drift continue
? 3
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   a.txt: the new core deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm p/a.txt; nanoclaw -C p -q continue
> Core updated: 1.0.0 → 2.0.0
$ nanoclaw -C p verify
> 7 files checked: all as recorded
== after ==
-- p/VERSION --
2.0.0
-- !p/a.txt --
-- p/b.txt --
b1 x
b2
b3
b4
a1
-- p/.nanoclaw-meta/path_remap.yaml --
path_remap:
  a.txt: b.txt
