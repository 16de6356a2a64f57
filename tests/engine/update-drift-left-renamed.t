# changes that are left unrecorded stay so when the skill that renamed the file is updated
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- b.txt --
one
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
file_ops: [{type: rename, from: b.txt, to: new/b.txt}]
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
$ sed -i 1s/^/my/ new/b.txt
$ echo 'from x again' >> skills/x/modify/b.txt
$ sed -i 's/^version: 1.0.0/version: 1.1.0/' skills/x/manifest.yaml
$ nanoclaw -q skill update x --on-drift continue
> x 1.1.0 (before: 1.0.0) applied
$ nanoclaw status
> core 1.0.0
>   x 1.1.0
>
> your unrecorded changes:
>   edited    new/b.txt
$ nanoclaw -q skill remove x --on-drift continue
> x 1.1.0 removed
$ cat b.txt
> myone
> two
> three
> four
> five
== after ==
-- b.txt --
myone
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.1.0
core_version: 1.0.0
modifies: [b.txt]
file_ops: [{type: rename, from: b.txt, to: new/b.txt}]
-- skills/x/modify/b.txt --
one
two
three
four
five
from x
from x again
-- VERSION --
1.0.0
