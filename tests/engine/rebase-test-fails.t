# the tests of all skills are run, and if one fails everything is as it was before
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
-- plain.txt --
core
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two x
three
four
five
six
seven
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
seven
== run ==
$ echo 'test: "test ! -e fail"' >> skills/x/manifest.yaml; nanoclaw -q skill apply x; echo more >> a.txt; touch fail
> x 1.0.0 applied
$! nanoclaw --yes rebase
? 5
2> error: the test of skill 'x' failed with exit code 1: test ! -e fail
2> hint: everything is as it was before
$ nanoclaw status; nanoclaw -q --yes rebase --no-test; nanoclaw status
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
> rebased onto core 1.0.0; your files stayed as they are
> core 1.0.0
>   x 1.0.0
