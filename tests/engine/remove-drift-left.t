# changes that are left unrecorded are merged into what comes back, under its old name, too
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
-- b.txt --
one
two
three
four
five
-- c.txt --
c
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
file_ops: [{type: rename, from: b.txt, to: new/b.txt}, {type: delete, path: c.txt}]
-- skills/x/modify/a.txt --
one
two
three
four
five
from x
-- skills/x/modify/b.txt --
one
two
three
four
five
from x
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ sed -i 1s/^/my/ a.txt new/b.txt
$! nanoclaw skill remove x --on-drift continue
> x 1.0.0 removed
>   merged    a.txt
>   renamed   new/b.txt -> b.txt
>   merged    b.txt
>   restored  c.txt
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    b.txt
== after ==
-- a.txt --
myone
two
three
four
five
-- b.txt --
myone
two
three
four
five
