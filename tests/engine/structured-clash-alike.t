# services whose lines are much alike: each clash stands between markers, whichever way they are compared
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured:
  docker_compose_services:
    queue: {image: img1, ports: ["7003:80"], volumes: ["vol0:/d"]}
    store: {image: img2, ports: ["7004:80"], volumes: ["vol0:/d"]}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured:
  docker_compose_services:
    cache: {image: img2, ports: ["7002:80"], volumes: ["vol1:/d"]}
    store: {image: img1, ports: ["7004:80"], volumes: ["vol1:/d"]}
== run ==
$ nanoclaw -q skill apply one two
? 3
> one 1.0.0 paused
> two 1.0.0 paused
>
> To resolve:
>   docker-compose.yml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat docker-compose.yml
> services:
>   # skill: two
>   cache:
>     image: img2
>     ports:
>       - "7002:80"
>     volumes:
>       - vol1:/d
>   # skill: one
>   queue:
>     image: img1
>     ports:
>       - "7003:80"
>     volumes:
>       - vol0:/d
>   # skills: one, two
>   store:
> <<<<<<< yours
>     image: img2
>     ports:
>       - "7004:80"
>     volumes:
>       - vol0:/d
>
> volumes:
>   # skills: one, two
>   vol0: {}
>   # skill: two
> ||||||| without either
> =======
>     image: img1
>     ports:
>       - "7004:80"
>     volumes:
>       - vol1:/d
>
> volumes:
>   # skill: one
>   vol0: {}
>   # skills: one, two
> >>>>>>> two 1.0.0
>   vol1: {}
$ sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' docker-compose.yml
$ nanoclaw -q continue
> one 1.0.0 applied
> two 1.0.0 applied
$ cat docker-compose.yml
> services:
>   # skill: two
>   cache:
>     image: img2
>     ports:
>       - "7002:80"
>     volumes:
>       - vol1:/d
>   # skill: one
>   queue:
>     image: img1
>     ports:
>       - "7003:80"
>     volumes:
>       - vol0:/d
>   # skills: one, two
>   store:
>     image: img2
>     ports:
>       - "7004:80"
>     volumes:
>       - vol0:/d
>
> volumes:
>   # skills: one, two
>   vol0: {}
>   # skill: two
>   vol1: {}
$ nanoclaw verify
> 5 files checked: all as recorded
