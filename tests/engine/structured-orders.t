# in whatever order three skills are applied, alone or together, the files are the same
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{"name":"postbox","dependencies":{"b":"^2.0.0"}}
-- .env.example [no-newline] --
PORT=8080
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "^1.2.0", b: "*"}, env_additions: [ONE, SHARED], system_packages: [zip, curl], docker_compose_services: {db: {image: "postgres:16", ports: ["5432:5432"]}}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "~1.4.0"}, env_additions: [{name: SHARED, default: "x"}], system_packages: [curl], docker_compose_services: {db: {image: "postgres:16", ports: ["5432:5432"]}, cache: {image: redis}}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "1.x", "@c/d": "^0.3.0"}, env_additions: [THREE], system_packages: [jq], docker_compose_services: {mail: {image: mailpit, ports: ["127.0.0.1:8025:8025"], networks: [back]}}}
== run ==
$ for i in "one two three" "one three two" "two one three" "two three one" "three one two" "three two one"; do \
	cp -r . ../alone && cp -r . ../together && \
	for s in $i; do nanoclaw -C ../alone -q skill apply --no-install $s >/dev/null 2>&1 || exit 1; done && \
	nanoclaw -C ../together -q skill apply --no-install $i >/dev/null 2>&1 || exit 1; \
	for f in package.json .env.example docker-compose.yml system-packages.txt; do cat ../alone/$f | sha256sum | head -c 12; echo " $f"; cmp ../alone/$f ../together/$f || exit 1; done >> ../sums; rm -r ../alone ../together; done; sort ../sums | uniq -c; rm ../sums
>       6 47c871c2b3ce system-packages.txt
>       6 92c12f0d4170 .env.example
>       6 a01fb060bb4f package.json
>       6 e20293d723a4 docker-compose.yml
$ nanoclaw -q skill apply --no-install one two three
> one 1.0.0 applied
> two 1.0.0 applied
> three 1.0.0 applied
$ cat package.json .env.example docker-compose.yml system-packages.txt
> {"name":"postbox","dependencies":{"@c/d":"^0.3.0","a":"~1.4.0","b":"^2.0.0"}}PORT=8080
>
> # Skill: one
> ONE=
> # also for: two
> SHARED=x
>
> # Skill: three
> THREE=
> services:
>   # skill: two
>   cache:
>     image: redis
>   # skills: one, two
>   db:
>     image: postgres:16
>     ports:
>       - "5432:5432"
>   # skill: three
>   mail:
>     image: mailpit
>     networks:
>       - back
>     ports:
>       - "127.0.0.1:8025:8025"
>
> networks:
>   # skill: three
>   back: {}
> # Packages of the distribution that skills need; see 'nanoclaw doctor'.
> curl
> jq
> zip
