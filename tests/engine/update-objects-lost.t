# a paused update whose kept contents are lost cannot continue, and is still paused
unlisted: p/.nanoclaw
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
-- new/VERSION --
2.0.0
-- new/a.txt --
one
two core
three
== run ==
$ nanoclaw -C p -q skill apply x; nanoclaw -C p -q --yes update ../new >/dev/null
? 3
> x 1.0.0 applied
$ printf 'one\ntwo x core\nthree\n' >p/a.txt; mv p/.nanoclaw/objects objects; nanoclaw -C p continue
? 1
2> error: '.nanoclaw/objects/b6/285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2' is missing
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ nanoclaw -C p status
> core 1.0.0
>   x 1.0.0
>
> 'update' is paused; to resolve:
>   a.txt  (core; resolved)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ mv objects p/.nanoclaw/objects; nanoclaw -C p -q continue; nanoclaw -C p verify
> Core updated: 1.0.0 → 2.0.0
> 7 files checked: all as recorded
== after ==
-- p/VERSION --
2.0.0
-- p/a.txt --
one
two x core
three
