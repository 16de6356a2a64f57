# a line of the person's own that has the words of the removed skill's line stays
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
return
three
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/a/modify/a.txt --
one
return a
three
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/b/modify/a.txt --
one
return x
three
== run ==
$ nanoclaw -q skill apply a; nanoclaw -q skill apply b >/dev/null
? 3
> a 1.0.0 applied
$ printf 'one\ncheck(x) # never return early\nreturn a\nthree\n' > a.txt; nanoclaw -q continue
> b 1.0.0 applied
$ nanoclaw -q skill remove b >/dev/null
? 3
$ grep check a.txt
> check(x) # never return early
$ nanoclaw -q abort
== after ==
-- a.txt --
one
check(x) # never return early
return a
three
