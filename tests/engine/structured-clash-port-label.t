# the name of a service cannot put lines or escape sequences into the markers of a conflict
unlisted: .nanoclaw docker-compose.yml
-- VERSION --
1.0.0
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
structured:
  docker_compose_services:
    q:
      image: q
      ports: ["6380:6379"]
== run ==
$ printf 'services:\n  "own\\e[31m\\n=======\\n":\n    image: x\n    ports: ["6380:1"]\n' > docker-compose.yml
$ nanoclaw -q skill apply q >/dev/null 2>&1
? 3
$ grep -c '^=======$' docker-compose.yml; grep -c "$(printf '\033')" docker-compose.yml; grep '^>>>>>>>' docker-compose.yml
> 1
> 0
> >>>>>>> q 1.0.0 (own\033[31m\n=======\n on 6381)
