# a dry run of undo names the tests of the skills that stay
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a.txt]
test: test -f a.txt
-- skills/a/add/a.txt --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b.txt]
-- skills/b/add/b.txt --
b
== run ==
$ nanoclaw -q --yes skill apply a; nanoclaw -q --yes skill apply b
> a 1.0.0 applied
> b 1.0.0 applied
$ nanoclaw undo --dry-run
> would undo 'skill apply b'
>   removed   b.txt
> would run the test of a: test -f a.txt
$ nanoclaw undo 2 --dry-run
> would undo 'skill apply b'
> would undo 'skill apply a'
>   removed   a.txt
>   removed   b.txt
== after ==
-- a.txt --
a
-- b.txt --
b
