# how a clash was resolved before is used again only if it makes a file that can be read
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- settled.json --
{
  "dependencies": {
    "grammy": "^1.0.0",
    "left": "^1.0.0"
  },
  "scripts": {
    "mine": "true"
  }
}
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^2.0.0", left: "^1.0.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.0.0"}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one two
? 3
> one 1.0.0 paused
> two 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat package.json
> {
>   "dependencies": {
> <<<<<<< yours
>     "grammy": "^2.0.0",
> ||||||| without either
> =======
>     "grammy": "^1.0.0",
> >>>>>>> two 1.0.0
>     "left": "^1.0.0"
>   }
> }
$ cp settled.json package.json
$ nanoclaw -q continue --no-install
> one 1.0.0 applied
> two 1.0.0 applied
$ nanoclaw -q skill apply --no-install three
? 3
> three 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat package.json
> {
>   "scripts": {
>     "mine": "true"
>   },
>   "dependencies": {
> <<<<<<< yours
>     "grammy": "^1.0.0",
> ||||||| without either
> =======
>     "grammy": "^2.0.0",
> >>>>>>> three 1.0.0
>     "left": "^1.0.0"
>   }
> }
