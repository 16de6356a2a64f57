# a port in use is a conflict between the file and the skill's declaration
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
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
$ cat compose.yaml
> services:
>   cache:
>     image: redis
>     ports:
> <<<<<<< yours (queue on 6380)
>       - "127.0.0.1:6379:6379" # of the app
>   # skill: queue
>   queue:
>     image: redis:7
>     ports:
>       - "6380:6379"
> ||||||| without either
> =======
>       - "127.0.0.1:6380:6379" # of the app
>   # skill: queue
>   queue:
>     image: redis:7
>     ports:
>       - "6379:6379"
> >>>>>>> queue 1.0.0 (cache on 6380)
# A file with two services on one port is not a resolution.
$ nanoclaw -q conflict take compose.yaml ours; sed -i 's/"6380:6379"/"6379:6379"/' compose.yaml; nanoclaw continue
? 3
> queue 1.0.0 paused
>
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: services 'cache' and 'queue' in 'compose.yaml' both bind port 6379/tcp of the host
# The other side: your service gives way, and stays yours.
$ nanoclaw -q abort; nanoclaw -q skill apply queue >/dev/null; nanoclaw -q conflict take compose.yaml theirs; nanoclaw continue; cat compose.yaml
> queue 1.0.0 applied
> services:
>   cache:
>     image: redis
>     ports:
>       - "127.0.0.1:6380:6379" # of the app
>   # skill: queue
>   queue:
>     image: redis:7
>     ports:
>       - "6379:6379"
$ nanoclaw verify; nanoclaw -q skill remove queue; cat compose.yaml
> 5 files checked: all as recorded
> queue 1.0.0 removed
> services:
>   cache:
>     image: redis
>     ports:
>       - "127.0.0.1:6380:6379" # of the app
$ sed -i s/6380/6379/ compose.yaml; rm -rf .nanoclaw/rr-cache .nanoclaw/hunks; nanoclaw --yes skill apply queue >/dev/null
? 3
2> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
$ nanoclaw -q conflict take compose.yaml ours; nanoclaw continue
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
$ nanoclaw verify
> 6 files checked: all as recorded
$ sed -i 's/"6390:6379"/"6380:6379"/' compose.yaml
$ nanoclaw verify | sed 's/, [0-9a-f]*, now [0-9a-f]*)/)/'
> 6 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    compose.yaml  (skill other)
>
> problems, to correct in the file:
>   services 'other' and 'queue' in 'compose.yaml' both bind port 6380/tcp of the host
$ nanoclaw --json verify | grep -A 2 '"problems"'
>   "problems": [
>     "services 'other' and 'queue' in 'compose.yaml' both bind port 6380/tcp of the host"
>   ],
