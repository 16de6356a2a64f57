# how a conflict was settled is not known any more: the skill is merged out of the file as it is
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
>   merged    a.txt
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
# With the skill itself in the conflict, a person has to say.
$ nanoclaw -q skill apply w >/dev/null; printf 'one\ntwo w, x and y\nthree\nfour\nfive\nsix\n' > a.txt; nanoclaw -q continue
> w 1.0.0 applied
$ rm -r .nanoclaw/rr-cache .nanoclaw/hunks .nanoclaw/settled.yaml
$! nanoclaw skill remove w
? 3
> w 1.0.0 paused
>   CONFLICT  a.txt
>
> To settle:
>   a.txt: edit it, and remove the conflict markers
> Then type 'nanoclaw continue'; or 'nanoclaw abort' to undo everything.
$ cat a.txt
> one
> <<<<<<< yours
> two w, x and y
> ||||||| with w
> two w
> =======
> two
> >>>>>>> w
> three
> four
> five
> six
$ printf 'one\ntwo x and y again\nthree\nfour\nfive\nsix\n' > a.txt
$! nanoclaw continue
> w 1.0.0 removed
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
> 6 files checked: all as recorded
== after ==
-- a.txt --
one
two x and y again
three
four
five
six
