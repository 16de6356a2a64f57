# a person's decision still applies in the next conflict about it, when a third skill wants something else
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- settle.sh --
sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' .env.example package.json docker-compose.yml
sed -i 's/^MODE=.*/MODE=mine/' .env.example
sed -i 's/"grammy": .*/"grammy": "^1.0.0 || ^2.0.0"/' package.json
sed -i 's/image: .*/image: mine/' docker-compose.yml
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured:
  env_additions: [MODE=one]
  npm_dependencies: {grammy: "^1.0.0"}
  docker_compose_services: {store: {image: one}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured:
  env_additions: [MODE=two]
  npm_dependencies: {grammy: "^2.0.0"}
  docker_compose_services: {store: {image: two}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured:
  env_additions: [MODE=three]
  npm_dependencies: {grammy: "^3.0.0"}
  docker_compose_services: {store: {image: three}}
== run ==
$ nanoclaw -q skill apply --no-install one two
? 3
> one 1.0.0 paused
> two 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
>   .env.example: edit it, and remove the conflict markers
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sh settle.sh
$ nanoclaw -q continue --no-install
> one 1.0.0 applied
> two 1.0.0 applied
$ nanoclaw -q skill apply --no-install three
? 3
> three 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
>   .env.example: edit it, and remove the conflict markers
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat .env.example
> <<<<<<< yours
> # Skill: one
> # also for: three, two
> MODE=mine
> ||||||| without either
> =======
> # Skill: one
> # also for: three, two
> MODE=three
> >>>>>>> three 1.0.0
$ cat package.json
> <<<<<<< yours
> {
>   "dependencies": {
>     "grammy": "^1.0.0 || ^2.0.0"
>   }
> }
> ||||||| without either
> =======
> {
>   "dependencies": {
>     "grammy": "^3.0.0"
>   }
> }
> >>>>>>> three 1.0.0
$ cat docker-compose.yml
> <<<<<<< yours
> services:
>   # skills: one, three, two
>   store:
>     image: mine
> ||||||| without either
> =======
> services:
>   # skills: one, three, two
>   store:
>     image: three
> >>>>>>> three 1.0.0
