# entries of skills in structured files and edits of these files survive a rebase
unlisted: **
-- VERSION --
1.0.0
-- package.json --
{
  "name": "p",
  "version": "1.0.0"
}
-- .env.example --
MINE=1
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {xx: "^1.0.0", shared: "^2.0.0"}
  env_additions: [X_TOKEN]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {yy: "^1.0.0"}
  env_additions: [Y_TOKEN]
== run ==
$ nanoclaw -q skill apply x --no-install; nanoclaw -q customize start more; sed -i '1a MORE=2' .env.example
> x 1.0.0 applied
$ nanoclaw -q customize commit; sed -i 's/"p"/"mine"/' package.json
> recorded as 001-more
$ cp package.json p; cp .env.example e
$! nanoclaw --yes -q rebase --no-install
> rebased onto core 1.0.0; your files stayed as they are
$ cmp package.json p && cmp .env.example e; nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
> 11 files checked: all as recorded
$ nanoclaw -q skill apply y --no-install; cat package.json .env.example
> y 1.0.0 applied
> {
>   "name": "mine",
>   "version": "1.0.0",
>   "dependencies": {
>     "shared": "^2.0.0",
>     "xx": "^1.0.0",
>     "yy": "^1.0.0"
>   }
> }
> MINE=1
> MORE=2
>
> # Skill: x
> X_TOKEN=
>
> # Skill: y
> Y_TOKEN=
$ nanoclaw -q skill remove y --no-install; cmp package.json p && cmp .env.example e; nanoclaw status; nanoclaw verify
> y 1.0.0 removed
> core 1.0.0
>   x 1.0.0
> 11 files checked: all as recorded
$ nanoclaw -q --yes rebase --no-install; nanoclaw -q --yes skill remove x --flattened --no-install; cat package.json .env.example; nanoclaw status; nanoclaw verify
> nothing to do: everything is already squashed
> x 1.0.0 removed
> {
>   "name": "mine",
>   "version": "1.0.0"
> }
> MINE=1
> MORE=2
> core 1.0.0
> 10 files checked: all as recorded
