# unrecorded changes in a structured file stay the person's when one of them is in conflict with the new core
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/.env.example --
# one
A=1
# two
B=1
# three
C=1
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
structured:
  env_additions: [X_TOKEN]
-- new/VERSION --
2.0.0
-- new/.env.example --
# one
A=core
# two
B=1
# three
C=1
== run ==
$ nanoclaw -C p -q skill apply x; sed -i 's/^A=1$/A=mine/; s/^C=1$/C=mine/' p/.env.example
> x 1.0.0 applied
$ nanoclaw -C p --yes -q update ../new --on-drift continue >/dev/null
? 3
$ printf '# one\nA=core and mine\n# two\nB=1\n# three\nC=mine\n' >p/.env.example
$! nanoclaw -C p -q continue
> Core updated: 1.0.0 → 2.0.0
$ nanoclaw -C p diff | grep '^[+-][A-Z]'; nanoclaw -C p diff --by .env.example
> -A=core
> +A=core and mine
> -C=1
> +C=mine
> .env.example
> core  1  # one
> you   2  A=core and mine
> core  3  # two
>       4  B=1
>       5  # three
> you   6  C=mine
> x     7
>       8  # Skill: x
>       9  X_TOKEN=
>   4 core, 3 skill x, 2 you
$ nanoclaw -C p -q replay --into ../again; cat again/.env.example; rm -r again
> # one
> A=core
> # two
> B=1
> # three
> C=1
>
> # Skill: x
> X_TOKEN=
== after ==
-- p/VERSION --
2.0.0
-- p/.env.example --
# one
A=core and mine
# two
B=1
# three
C=mine

# Skill: x
X_TOKEN=
