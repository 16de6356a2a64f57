# a rebase keeps the contents of an earlier core that a package names
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
four
five
-- p/b.txt --
b
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- p/skills/x/modify/b.txt --
b x
-- p/skills/w/manifest.yaml --
skill: w
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
base_hashes: {a.txt: bd730ce8302e79285f8badd523321160eee75d1023990d6a4f9f703cae7ef184}
-- p/skills/w/modify/a.txt --
one
two
three
four
five w
-- new/VERSION --
2.0.0
-- new/a.txt --
one core
two
three
four
five
-- new/b.txt --
b
== run ==
$ nanoclaw -C p -q skill apply x; nanoclaw -C p -q --yes update ../new; rm -r p/.nanoclaw/cores
> x 1.0.0 applied
> Core updated: 1.0.0 → 2.0.0
$ nanoclaw -C p -q --yes rebase; nanoclaw -C p -q skill apply w
> rebased onto core 2.0.0; your files stayed as they are
> w 1.0.0 applied
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
one core
two
three
four
five w
-- p/b.txt --
b x
