# a skill asks for a port that another skill's service has: the file's side keeps it
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
== run ==
$ nanoclaw -q skill apply zeta
> zeta 1.0.0 applied
$! nanoclaw -q skill apply alpha
? 3
> alpha 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat docker-compose.yml
> services:
>   # skill: alpha
>   alpha:
>     image: a
>     ports:
>       - "6379:6379"
>   # skill: zeta
>   zeta:
>     image: z
> <<<<<<< yours
>     ports:
>       - "6379:6379"
> ||||||| without either
> (neither)
> =======
> >>>>>>> alpha 1.0.0
$ sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' docker-compose.yml
$ nanoclaw continue
? 3
> alpha 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: services 'alpha' and 'zeta' in 'docker-compose.yml' both bind port 6379/tcp of the host
$ sed -i '$s/"6379:6379"/"6380:6379"/' docker-compose.yml
$ nanoclaw continue
> alpha 1.0.0 applied
$ nanoclaw verify
> 5 files checked: all as recorded
