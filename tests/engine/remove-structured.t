# entries of structured files go with the skill, and own content and other skills' stay
unlisted: .nanoclaw
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
  docker_compose_services: {x: {image: x, ports: ["80:80"]}}
  system_packages: [xlib, common]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {yy: "^1.0.0", shared: "^2.1.0"}
  env_additions: [Y_TOKEN]
  docker_compose_services: {y: {image: y}}
  system_packages: [ylib, common]
== run ==
$ nanoclaw -q skill apply x y --no-install
> x 1.0.0 applied
> y 1.0.0 applied
$ echo MORE=2 >> .env.example
$! nanoclaw --yes skill remove x --no-install
> your changes are recorded as 001-changes-to-env-example
> x 1.0.0 removed
>   merged    docker-compose.yml
>   merged    .env.example
>   merged    package.json
>   merged    system-packages.txt
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json .env.example docker-compose.yml system-packages.txt
> {
>   "name": "p",
>   "version": "1.0.0",
>   "dependencies": {
>     "shared": "^2.1.0",
>     "yy": "^1.0.0"
>   }
> }
> MINE=1
> MORE=2
>
> # Skill: y
> Y_TOKEN=
> services:
>   # skill: y
>   "y":
>     image: "y"
> # Packages of the distribution that skills need; see 'nanoclaw doctor'.
> common
> ylib
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   y 1.0.0
>   001-changes-to-env-example (custom patch)
> 12 files checked: all as recorded
$! nanoclaw skill remove y --no-install
> y 1.0.0 removed
>   removed   docker-compose.yml
>   merged    .env.example
>   merged    package.json
>   removed   system-packages.txt
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   001-changes-to-env-example (custom patch)
> 9 files checked: all as recorded
== after ==
-- .env.example --
MINE=1
MORE=2
