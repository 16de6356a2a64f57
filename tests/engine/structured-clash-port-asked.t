# a skill asks for a port that another skill's service has: on each side one of them keeps it, and the other gets a free one
unlisted: .nanoclaw skills docker-compose.yml
-- VERSION --
1.0.0
-- skills/zeta/manifest.yaml --
skill: zeta
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {zeta: {image: z, ports: ["6379:6379"]}}}
-- skills/alpha/manifest.yaml --
skill: alpha
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {alpha: {image: a, ports: ["6379:6379"]}}}
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {other: {image: o, ports: ["6379:6379/udp"]}}}
== run ==
$ nanoclaw -q skill apply zeta
> zeta 1.0.0 applied
$! nanoclaw skill apply alpha
? 3
> alpha 1.0.0 paused
>   CONFLICT  docker-compose.yml
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: service 'alpha' of skill 'alpha' wants port 6379/tcp of the host, which service 'zeta' of skill 'zeta' has; free is 6380
$ cat docker-compose.yml
> services:
>   # skill: alpha
>   alpha:
>     image: a
>     ports:
> <<<<<<< yours (alpha on 6380)
>       - "6380:6379"
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6379:6379"
> ||||||| without either
> =======
>       - "6379:6379"
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6380:6379"
> >>>>>>> alpha 1.0.0 (zeta on 6380)
# Alpha gets the free port.
$ nanoclaw conflict take docker-compose.yml ours; nanoclaw continue; cat docker-compose.yml
> alpha 1.0.0 applied
> services:
>   # skill: alpha
>   alpha:
>     image: a
>     ports:
>       - "6380:6379"
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6379:6379"
$ nanoclaw verify
> 5 files checked: all as recorded
$ nanoclaw -q skill apply other; grep -A 4 alpha: docker-compose.yml
> other 1.0.0 applied
>   alpha:
>     image: a
>     ports:
>       - "6380:6379"
>   # skill: other
$ nanoclaw -q skill remove other; nanoclaw -q skill remove alpha; cat docker-compose.yml
> other 1.0.0 removed
> alpha 1.0.0 removed
> services:
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6379:6379"
# Zeta gives way; after it, alpha has the port that it wants.
$ rm -rf .nanoclaw/rr-cache .nanoclaw/hunks; nanoclaw -q skill apply alpha >/dev/null
? 3
$ nanoclaw conflict take docker-compose.yml theirs; nanoclaw -q continue; cat docker-compose.yml
> alpha 1.0.0 applied
> services:
>   # skill: alpha
>   alpha:
>     image: a
>     ports:
>       - "6379:6379"
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6380:6379"
$ nanoclaw verify; nanoclaw -q skill remove alpha; cat docker-compose.yml
> 5 files checked: all as recorded
> alpha 1.0.0 removed
> services:
>   # skill: zeta
>   zeta:
>     image: z
>     ports:
>       - "6379:6379"
