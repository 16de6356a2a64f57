# a name that was given again to another file: removing the skill that gave it first leaves that file alone
ignore: .nanoclaw
-- VERSION --
1.0.0
-- x.txt --
one
two
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
file_ops:
  - type: rename
    from: x.txt
    to: y.txt
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
file_ops:
  - type: rename
    from: x.txt
    to: z.txt
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
-- skills/d/add/y.txt --
d one
d two
-- skills/e/manifest.yaml --
skill: e
version: 1.0.0
core_version: 1.0.0
depends: [a, d]
modifies: [y.txt]
-- skills/e/modify/y.txt --
d one
d two, with e
== run ==
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$ nanoclaw -q skill apply c
> c 1.0.0 applied
$ nanoclaw -q skill apply d
> d 1.0.0 applied
$ nanoclaw -q skill apply e
> e 1.0.0 applied
$ head *.txt
> ==> y.txt <==
> d one
> d two, with e
>
> ==> z.txt <==
> one
> two
$ nanoclaw -q skill remove a --with-dependents
> a 1.0.0 removed
> e 1.0.0 removed
$ head *.txt
> ==> y.txt <==
> d one
> d two
>
> ==> z.txt <==
> one
> two
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   c 1.0.0
>   d 1.0.0
> 8 files checked: all as recorded
== after ==
-- !x.txt --
-- y.txt --
d one
d two
-- z.txt --
one
two
