# on a terminal, each side of a port that two services want is a file that works; one with the port twice is asked about again
needs: script
ignore: *
-- VERSION --
1.0.0
-- compose.yaml --
services:
  cache:
    image: redis
    ports: ["6379:6379"]
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- twice [755] --
#!/bin/sh
sed -i '/^<<<<<<< /,/^=======/d; /^>>>>>>> /d; s/6380/6379/' "$1"
-- once [755] --
#!/bin/sh
sed -i '$s/6379:/7000:/' "$1"
-- skills/queue/manifest.yaml --
skill: queue
version: 1.0.0
core_version: 1.0.0
structured: {docker_compose_services: {queue: {image: "redis:7", ports: ["6379:6379"]}}}
== run ==
$ ./walk nanoclaw skill apply queue
< o
< y
> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
> queue 1.0.0 paused
>   CONFLICT  compose.yaml
>
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> compose.yaml: conflict 1 of 1, line 4
>       services:
>         cache:
>           image: redis
>   o yours (queue on 6380)
>   o |     ports: ["6379:6379"]
>   o |   # skill: queue
>   o |   queue:
>   o |     image: redis:7
>   o |     ports:
>   o |       - "6380:6379"
>     without either
>     | (nothing)
>   t queue 1.0.0 (cache on 6380)
>   t |     ports: ["6380:6379"]
>   t |   # skill: queue
>   t |   queue:
>   t |     image: redis:7
>   t |     ports:
>   t |       - "6379:6379"
>
> [o] yours (queue on 6380)  [t] queue 1.0.0 (cache on 6380)  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] queue 1.0.0 applied
> exit 0
$ tail -2 compose.yaml; nanoclaw -q undo
>     ports:
>       - "6380:6379"
$ rm -rf .nanoclaw/rr-cache .nanoclaw/hunks; ./walk nanoclaw skill apply queue
< t
< y
> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
> queue 1.0.0 paused
>   CONFLICT  compose.yaml
>
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> compose.yaml: conflict 1 of 1, line 4
>       services:
>         cache:
>           image: redis
>   o yours (queue on 6380)
>   o |     ports: ["6379:6379"]
>   o |   # skill: queue
>   o |   queue:
>   o |     image: redis:7
>   o |     ports:
>   o |       - "6380:6379"
>     without either
>     | (nothing)
>   t queue 1.0.0 (cache on 6380)
>   t |     ports: ["6380:6379"]
>   t |   # skill: queue
>   t |   queue:
>   t |     image: redis:7
>   t |     ports:
>   t |       - "6379:6379"
>
> [o] yours (queue on 6380)  [t] queue 1.0.0 (cache on 6380)  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] queue 1.0.0 applied
> exit 0
$ grep 63 compose.yaml; nanoclaw -q undo
>     ports: ["6380:6379"]
>       - "6379:6379"
$ rm -rf .nanoclaw/rr-cache .nanoclaw/hunks; export EDITOR="$PWD/twice"; ./walk nanoclaw skill apply queue
< e
< q
> warning: service 'queue' of skill 'queue' wants port 6379/tcp of the host, which service 'cache' of 'compose.yaml' itself has; free is 6380
> queue 1.0.0 paused
>   CONFLICT  compose.yaml
>
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> compose.yaml: conflict 1 of 1, line 4
>       services:
>         cache:
>           image: redis
>   o yours (queue on 6380)
>   o |     ports: ["6379:6379"]
>   o |   # skill: queue
>   o |   queue:
>   o |     image: redis:7
>   o |     ports:
>   o |       - "6380:6379"
>     without either
>     | (nothing)
>   t queue 1.0.0 (cache on 6380)
>   t |     ports: ["6380:6379"]
>   t |   # skill: queue
>   t |   queue:
>   t |     image: redis:7
>   t |     ports:
>   t |       - "6379:6379"
>
> [o] yours (queue on 6380)  [t] queue 1.0.0 (cache on 6380)  [e] edit  [s] later  [q] leave  [?] help > 
> compose.yaml: services 'cache' and 'queue' in 'compose.yaml' both bind port 6379/tcp of the host
>
> [E] edit  [u] undo  [s] later  [q] leave  [?] help > 
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ export EDITOR="$PWD/once"; ./walk nanoclaw continue
< E
< y
> warning: services 'cache' and 'queue' in 'compose.yaml' both bind port 6379/tcp of the host
> queue 1.0.0 paused
>
> To resolve:
>   compose.yaml: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> compose.yaml: services 'cache' and 'queue' in 'compose.yaml' both bind port 6379/tcp of the host
>
> [E] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] queue 1.0.0 applied
> exit 0
$ tail -2 compose.yaml; nanoclaw verify
>     ports:
>       - "7000:6379"
> 11 files checked: all as recorded
