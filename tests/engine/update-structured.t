# the skills' entries in package.json and .env.example stay, and so do the core's changes there
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/package.json --
{
  "name": "x",
  "version": "0.5.0",
  "dependencies": {
    "alpha": "^1.0.0"
  }
}
-- p/.env.example --
A=1
-- new/package.json --
{
  "name": "x",
  "version": "0.6.0",
  "dependencies": {
    "alpha": "^1.2.0",
    "omega": "^3.0.0"
  }
}
-- new/.env.example --
A=2
B=1
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [one.txt]
structured:
  npm_dependencies:
    beta: "^2.0.0"
  env_additions: [ONE_TOKEN]
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/add/one.txt --
one
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one --no-install
> one 1.0.0 applied
$ cat p/package.json p/.env.example
> {
>   "name": "x",
>   "version": "0.5.0",
>   "dependencies": {
>     "alpha": "^1.0.0",
>     "beta": "^2.0.0"
>   }
> }
> A=1
>
> # Skill: one
> ONE_TOKEN=
$ nanoclaw -C p update ../new --preview --no-install
> Update available: 0.5.0 → 0.6.0
>
>   Config:  2 files modified (.env.example, package.json)
2> warning: dependencies would change, and are not installed: run 'npm install'
$! nanoclaw -C p --yes update ../new --no-install
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat p/package.json p/.env.example
> {
>   "name": "x",
>   "version": "0.6.0",
>   "dependencies": {
>     "alpha": "^1.2.0",
>     "beta": "^2.0.0",
>     "omega": "^3.0.0"
>   }
> }
> A=2
> B=1
>
> # Skill: one
> ONE_TOKEN=
$ nanoclaw -C p verify
> 6 files checked: all as recorded
$ nanoclaw -C p -q skill remove one --no-install
> one 1.0.0 removed
$ cmp p/package.json new/package.json
$ cmp p/.env.example new/.env.example
$ nanoclaw -C p verify
> 4 files checked: all as recorded
== after ==
-- p/.env.example --
A=2
B=1
-- p/package.json --
{
  "name": "x",
  "version": "0.6.0",
  "dependencies": {
    "alpha": "^1.2.0",
    "omega": "^3.0.0"
  }
}
