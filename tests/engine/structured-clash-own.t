# a person's additions while resolving a clash stay, even in a file that only skills created
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- settled.env --
# my own
MINE=1

# Skill: one
MODE=push
LEFT=1
-- settled.json --
{
  "name": "mine",
  "dependencies": {
    "a": "^2.0.0"
  }
}
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {env_additions: [MODE=poll, LEFT=1], npm_dependencies: {a: "^1.0.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {env_additions: [MODE=push], npm_dependencies: {a: "^2.0.0"}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured: {env_additions: [MORE=3], npm_dependencies: {b: "^3.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one
> one 1.0.0 applied
$ nanoclaw -q skill apply --no-install two
? 3
> two 1.0.0 paused
>
> To resolve:
>   .env.example: edit it, and remove the conflict markers
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cp settled.env .env.example
$ cp settled.json package.json
$ nanoclaw -q continue --no-install
> two 1.0.0 applied
$ nanoclaw -q skill apply --no-install three
> three 1.0.0 applied
$ cat .env.example
> # my own
> MINE=1
>
> # Skill: one
> MODE=push
> LEFT=1
>
> # Skill: three
> MORE=3
$ cat package.json
> {
>   "name": "mine",
>   "dependencies": {
>     "a": "^2.0.0",
>     "b": "^3.0.0"
>   }
> }
$ nanoclaw verify
> 11 files checked: all as recorded
