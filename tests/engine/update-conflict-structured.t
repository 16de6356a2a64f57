# the resolution of a conflict in a structured file is recorded, and other structured files do not count as changed meanwhile
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/.env.example --
PORT=8080
-- p/package.json --
{
  "name": "p",
  "version": "1.0.0"
}
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
structured:
  env_additions: [X_TOKEN]
  npm_dependencies:
    grammy: "^1.39.3"
-- next/VERSION --
2.0.0
-- next/.env.example --
PORT=8080
NEXT=1
-- next/package.json --
{
  "name": "p",
  "version": "2.0.0"
}
== run ==
$ nanoclaw -C p -q skill apply --no-install x
> x 1.0.0 applied
$ nanoclaw -C p -q customize start mine; sed -i 's/^PORT=8080$/&\nMINE=1/' p/.env.example; nanoclaw -C p -q customize commit
> recorded as 001-mine
$! nanoclaw -C p -q update ../next --yes --no-install
? 3
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   .env.example: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -C p status; nanoclaw -C p verify
> core 1.0.0
>   x 1.0.0
>   001-mine (custom patch)
>
> 'update' is paused; to resolve:
>   .env.example  (core)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> 10 files checked: all as recorded
$ sed -i '/^[<|=>]\{7\}/d' p/.env.example; nanoclaw -C p -q continue
> Core updated: 1.0.0 → 2.0.0
$ cat p/.env.example; nanoclaw -C p verify
> PORT=8080
> MINE=1
> NEXT=1
>
> # Skill: x
> X_TOKEN=
> 10 files checked: all as recorded
$ nanoclaw -C p -q replay --no-install --into ../again; cmp p/.env.example again/.env.example; rm -r again
== after ==
-- p/VERSION --
2.0.0
-- p/.env.example --
PORT=8080
MINE=1
NEXT=1

# Skill: x
X_TOKEN=
-- p/package.json --
{
  "name": "p",
  "version": "2.0.0",
  "dependencies": {
    "grammy": "^1.39.3"
  }
}
