# without a record of how a conflict was resolved, the result of the layers below is still known
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two x
three
four
five
six
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two y
three
four
five
six
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
file_ops: [{type: rename, from: a.txt, to: b.txt}]
-- skills/z/modify/a.txt --
one
two
three
four
five
six z
-- skills/w/manifest.yaml --
skill: w
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/w/modify/a.txt --
one
two w
three
four
five
six
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q skill apply y >/dev/null; printf 'one\ntwo x and y\nthree\nfour\nfive\nsix\n' > a.txt; nanoclaw -q continue
> y 1.0.0 applied
$ nanoclaw -q skill apply z
> z 1.0.0 applied
$ rm -r .nanoclaw/rr-cache .nanoclaw/hunks .nanoclaw/settled.yaml
$! nanoclaw skill remove z
> z 1.0.0 removed
>   renamed   b.txt -> a.txt
$ cat a.txt; nanoclaw status; nanoclaw verify
> one
> two x and y
> three
> four
> five
> six
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
> 6 files checked: all as recorded
# The same for the last skill of the conflict: the result below it is recorded.
$ nanoclaw -q skill apply w >/dev/null; printf 'one\ntwo w, x and y\nthree\nfour\nfive\nsix\n' > a.txt; nanoclaw -q continue
> w 1.0.0 applied
$ rm -r .nanoclaw/rr-cache .nanoclaw/hunks .nanoclaw/settled.yaml
$! nanoclaw skill remove w
> w 1.0.0 removed
>   merged    a.txt
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
> 6 files checked: all as recorded
== after ==
-- a.txt --
one
two x and y
three
four
five
six
