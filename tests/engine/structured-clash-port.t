# a port that is taken is a conflict, and the next free one is proposed
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- compose.yaml --
services:
  cache:
    image: redis
    ports:
      - "127.0.0.1:6379:6379" # of the app
-- skills/queue/manifest.yaml --
skill: queue
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {queue: {image: "redis:7", ports: ["6379:6379"]}}}
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {other: {image: "redis:7", ports: ["6390:6379"]}}}
== run ==
$! nanoclaw skill apply queue
? 3
> queue 1.0.0 paused
>   CONFLICT  compose.yaml
>
> To settle:
>   compose.yaml: edit it, and remove the conflict markers
> Then type 'nanoclaw continue'; or 'nanoclaw abort' to undo everything.
2> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
$ cat compose.yaml
> services:
>   cache:
>     image: redis
>     ports:
>       - "127.0.0.1:6379:6379" # of the app
>   # skill: queue
>   queue:
>     image: redis:7
> <<<<<<< yours
>     ports:
>       - "6380:6379"
> ||||||| without either
> =======
>     ports:
>       - "6379:6379"
> >>>>>>> queue 1.0.0
$ sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' compose.yaml; cat compose.yaml
> services:
>   cache:
>     image: redis
>     ports:
>       - "127.0.0.1:6379:6379" # of the app
>   # skill: queue
>   queue:
>     image: redis:7
>     ports:
>       - "6380:6379"
$ nanoclaw continue
> queue 1.0.0 applied
$ nanoclaw skill apply other
> other 1.0.0 applied
>   merged    compose.yaml
$ cat compose.yaml
> services:
>   cache:
>     image: redis
>     ports:
>       - "127.0.0.1:6379:6379" # of the app
>   # skill: other
>   other:
>     image: redis:7
>     ports:
>       - "6390:6379"
>   # skill: queue
>   queue:
>     image: redis:7
>     ports:
>       - "6380:6379"
$ nanoclaw status
> core 1.0.0
>   queue 1.0.0
>   other 1.0.0
