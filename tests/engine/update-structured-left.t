# changes that stay unrecorded in a structured file that the core changes, too: the core's are not taken for them
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
A=2
# two
B=1
# three
C=1
== run ==
$ nanoclaw -C p -q skill apply x; sed -i 's/^C=1$/C=mine/' p/.env.example
> x 1.0.0 applied
$! nanoclaw -C p --yes -q update ../new --on-drift continue
> Core updated: 1.0.0 → 2.0.0
$ nanoclaw -C p diff; cat p/.env.example
> diff --git a/.env.example b/.env.example
> index b30b6d016d9aaa30d069117a4532b50bbfcf2884..1294ae267edbb42e8116ac2849e016927c0b6be3 100644
> --- a/.env.example
> +++ b/.env.example
> @@ -3,7 +3,7 @@
>  # two
>  B=1
>  # three
> -C=1
> +C=mine
>  
>  # Skill: x
>  X_TOKEN=
> # one
> A=2
> # two
> B=1
> # three
> C=mine
>
> # Skill: x
> X_TOKEN=
$ nanoclaw -C p -q replay --into ../again; cat again/.env.example; rm -r again
> # one
> A=2
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
A=2
# two
B=1
# three
C=mine

# Skill: x
X_TOKEN=
