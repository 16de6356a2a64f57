# after a removal, skills are still led to the new name of a file that another skill renamed
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- other.txt --
other
-- skills/r/manifest.yaml --
skill: r
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: a.txt, to: moved.txt}
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [other.txt]
-- skills/x/modify/other.txt --
other x
-- skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/m/modify/a.txt --
one
two
three m
== run ==
$ nanoclaw -q skill apply r x; nanoclaw -q --yes skill remove x
> r 1.0.0 applied
> x 1.0.0 applied
> x 1.0.0 removed
$ nanoclaw skill apply m
> m 1.0.0 applied
>   merged    moved.txt
== after ==
-- !a.txt --
-- moved.txt --
one
two
three m
