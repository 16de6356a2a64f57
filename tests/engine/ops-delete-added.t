# a file that a skill added may be deleted as that skill made it; with changes it is a decision
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n, m]
-- skills/x/add/n --
n
-- skills/x/add/m --
m
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
modifies: [m]
-- skills/y/modify/m --
m
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
depends: [x]
file_ops:
  - {type: delete, path: n}
  - {type: delete, path: m}
== run ==
$ nanoclaw -q skill apply x y
> x 1.0.0 applied
> y 1.0.0 applied
$! nanoclaw skill apply z
? 3
> z 1.0.0 paused
>   deleted   n
>   DECISION  m
>
> To resolve:
>   m: z deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -q abort
== after ==
-- n --
n
-- m --
m
y
