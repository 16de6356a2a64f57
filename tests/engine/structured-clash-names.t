# two services of one name, and two defaults of one variable, are conflicts
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {redis: {image: "redis:6"}}, env_additions: [{name: REDIS, default: "6"}]}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {redis: {image: "redis:7"}}, env_additions: [{name: REDIS, default: "7"}]}
== run ==
$ nanoclaw skill apply one two
? 3
> one 1.0.0 paused
> two 1.0.0 paused
>   CONFLICT  docker-compose.yml
>   CONFLICT  .env.example
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
>   .env.example: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: service 'redis' is defined differently: skill 'one' has {"image": "redis:6"}; skill 'two' has {"image": "redis:7"}
2> warning: 'REDIS' in '.env.example' has different defaults: '6' of skill 'one', '7' of skill 'two'
$ cat docker-compose.yml .env.example
> <<<<<<< yours
> services:
>   # skills: one, two
>   redis:
>     image: redis:6
> ||||||| without either
> =======
> services:
>   # skills: one, two
>   redis:
>     image: redis:7
> >>>>>>> two 1.0.0
> <<<<<<< yours
> # Skill: one
> # also for: two
> REDIS=6
> ||||||| without either
> =======
> # Skill: one
> # also for: two
> REDIS=7
> >>>>>>> two 1.0.0
$ nanoclaw abort
> everything is as it was before 'skill apply'
$ ls
> VERSION
> skills
$ nanoclaw -q skill apply one two
? 3
> one 1.0.0 paused
> two 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
>   .env.example: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ for f in docker-compose.yml .env.example; do sed -i '/^<<<<<<< /,/^=======/d; /^>>>>>>> /d' $f; done
$ nanoclaw -q continue
> one 1.0.0 applied
> two 1.0.0 applied
$ cat docker-compose.yml .env.example
> services:
>   # skills: one, two
>   redis:
>     image: redis:7
> # Skill: one
> # also for: two
> REDIS=7
$ nanoclaw status
> core 1.0.0
>   one 1.0.0
>   two 1.0.0
