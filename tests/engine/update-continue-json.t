# after a pause, an update still reports the versions and what is new in the core
unlisted: p/.nanoclaw p/skills
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- new/VERSION --
2.0.0
-- new/a.txt --
one new
-- new/skills/fresh/manifest.yaml --
skill: fresh
version: 1.0.0
core_version: 2.0.0
adds: [f.txt]
-- new/skills/fresh/add/f.txt --
f
== run ==
$ nanoclaw -C p -q init; echo one mine > p/a.txt; nanoclaw -C p -q --yes update ../new >/dev/null; echo one both > p/a.txt
$ nanoclaw -C p --json continue | grep -E -A1 '"(newSkills|previousVersion|newVersion)"'
>   "newSkills": [
>     "fresh"
> --
>   "newVersion": "2.0.0",
>   "nothingToDo": false,
> --
>   "previousVersion": "1.0.0",
>   "skillReapplyResults": {},
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
one both
