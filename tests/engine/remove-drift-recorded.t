# the same, recorded: the patch finds the file under its old name
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
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- skills/y/modify/b.txt --
one
two
from y
three
four
five
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ sed -i 1s/^/my/ new/b.txt
$! nanoclaw skill remove x --on-drift record
> your changes are recorded as 001-changes-to-new-b-txt
> x 1.0.0 removed
>   renamed   new/b.txt -> b.txt
$ nanoclaw status; nanoclaw verify; cat b.txt
> core 1.0.0
>   001-changes-to-new-b-txt (custom patch)
> 7 files checked: all as recorded
> myone
> two
> three
> four
> five
# Lost lines can be added again.
$ cp b.txt keep; sed -i 1s/my// b.txt; nanoclaw customize apply 001; cmp b.txt keep; rm keep
> 001-changes-to-new-b-txt applied
>   merged    b.txt
$ nanoclaw -q skill apply y
> y 1.0.0 applied
$! nanoclaw skill remove y
> y 1.0.0 removed
>   merged    b.txt
== after ==
-- b.txt --
myone
two
three
four
five
