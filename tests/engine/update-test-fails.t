# failing tests take everything back, base and state included
unlisted: p/.nanoclaw
ignore: before
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/a.txt --
broken
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [one.txt]
test: '! grep -q broken a.txt'
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/add/one.txt --
one
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ cp -r p before
$! nanoclaw -C p --yes update ../new
? 5
2> error: the test of skill 'one' failed with exit code 1: ! grep -q broken a.txt
2> hint: everything is as it was before
$ diff -r -x index before p
$ nanoclaw -C p --json --yes update ../new
? 5
> {
>   "error": "the test of skill 'one' failed with exit code 1: ! grep -q broken a.txt",
>   "hint": "everything is as it was before",
>   "newVersion": "0.6.0",
>   "previousVersion": "0.5.0",
>   "success": false
> }
2> error: the test of skill 'one' failed with exit code 1: ! grep -q broken a.txt
2> hint: everything is as it was before
# Nobody else is to blame.
$ nanoclaw -C p -q --yes update ../new --no-test
> Core updated: 0.5.0 → 0.6.0
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
broken
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/one.txt --
one
