# two of three skills want the same, and the third something else: still a conflict
unlisted: .nanoclaw package.json .env.example docker-compose.yml
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {x: "^1.0.0"}, env_additions: [X=1], docker_compose_services: {x: {image: "x:1"}}}
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {x: "^2.0.0"}, env_additions: [X=2], docker_compose_services: {x: {image: "x:2"}}}
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {x: "^1.0.0"}, env_additions: [X=1], docker_compose_services: {x: {image: "x:1"}}}
== run ==
$ nanoclaw skill apply a b c
? 3
> a 1.0.0 paused
> b 1.0.0 paused
> c 1.0.0 paused
>   CONFLICT  docker-compose.yml
>   CONFLICT  .env.example
>   CONFLICT  package.json
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
>   .env.example: edit it, and remove the conflict markers
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: service 'x' is defined differently: skill 'a' has {"image": "x:1"}; skill 'b' has {"image": "x:2"}; skill 'c' has {"image": "x:1"}
2> warning: 'X' in '.env.example' has different defaults: '1' of skill 'a', '2' of skill 'b', '1' of skill 'c'
2> warning: skill 'a' wants 'x' ^1.0.0, skill 'b' wants ^2.0.0, and skill 'c' wants ^1.0.0
$ cat package.json .env.example docker-compose.yml
> <<<<<<< yours
> {
>   "dependencies": {
>     "x": "^1.0.0"
>   }
> }
> ||||||| without either
> =======
> {
>   "dependencies": {
>     "x": "^2.0.0"
>   }
> }
> >>>>>>> c 1.0.0
> <<<<<<< yours
> # Skill: a
> # also for: b, c
> X=1
> ||||||| without either
> =======
> # Skill: a
> # also for: b, c
> X=2
> >>>>>>> c 1.0.0
> <<<<<<< yours
> services:
>   # skills: a, b, c
>   x:
>     image: x:1
> ||||||| without either
> =======
> services:
>   # skills: a, b, c
>   x:
>     image: x:2
> >>>>>>> c 1.0.0
