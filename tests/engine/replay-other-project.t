# a replay of another project's state uses the resolutions that were learned there
unlisted: p fresh
recover: nanoclaw -C fresh status
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
one
two x
three
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/y/modify/a.txt --
one
two y
three
-- fresh/ --
== run ==
$ cp -r p/. fresh; cd p; nanoclaw -q skill apply x y >/dev/null
? 3
$ cd p; printf 'one\ntwo x y\nthree\n' >a.txt; nanoclaw -q continue
> x 1.0.0 applied
> y 1.0.0 applied
# Its result was not kept, so the conflict must be resolved again.
$ rm -r p/.nanoclaw/objects p/.nanoclaw/hunks; nanoclaw -C fresh replay --state ../p/.nanoclaw/state.yaml; cat fresh/a.txt
> 2 skills and 0 patches replayed: 1 file is as recorded
> one
> two x y
> three
== after ==
