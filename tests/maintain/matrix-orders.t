# an order is tested again only if its files differ, or if its commands ran in another order
ignore: *
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a.txt]
structured:
  env_additions: [{name: X}]
post_apply: [echo a >last]
test: test -e a.txt
-- skills/a/add/a.txt --
a
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
adds: [b.txt]
structured:
  env_additions: [{name: X}]
post_apply: [echo b >last]
test: test "$(cat last)" = b
-- skills/b/add/b.txt --
b
== run ==
$ nanoclaw matrix run -j 1 | sed -n '/^1.0.0.a+b:/,/failed with/p'
> 1.0.0/a+b: test failed
>   the test of skill 'b' failed with exit code 1: test "$(cat last)" = b
$ grep -e '^==' -e already .nanoclaw/matrix/1.0.0/a+b.log
> == apply a b
> == apply b a
> == apply b a
$ sed -i '/post_apply/d; s/^test: .*/test: test -e b.txt/' skills/*/manifest.yaml; sed -i 's/b.txt$/a.txt/' skills/a/manifest.yaml; nanoclaw matrix run -j 1 | tail -n 1
> 3 passed, 0 unchanged, 0 failed ([..] s)
$ grep -e '^==' -e already .nanoclaw/matrix/1.0.0/a+b.log
> == apply a b
> == apply b a
> the same files have already passed the tests
