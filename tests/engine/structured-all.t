# a skill's declarations are in package.json, .env.example, the compose file and the list of system packages
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox",
  "version": "1.0.0",
  "dependencies": {
    "zod": "^3.22.0"
  }
}
-- .env.example --
# Where it listens
PORT=8080
-- docker-compose.yml --
# what runs beside it
services:
  web: # the page
    image: nginx:alpine
    ports: ["8080:80"]
-- skills/telegram/manifest.yaml --
skill: telegram
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {grammy: "^1.39.3", zod: ">=3.22.4"}
  env_additions:
    - TELEGRAM_BOT_TOKEN
    - {name: TELEGRAM_ONLY, default: "false", comment: Answer on Telegram only}
  docker_compose_services:
    telegram-redis: {image: "redis:alpine", ports: ["6380:6379"], volumes: ["redis-data:/data"]}
  system_packages: [ffmpeg, ca-certificates]
== run ==
$! nanoclaw skill apply telegram --no-install
> telegram 1.0.0 applied
>   merged    docker-compose.yml
>   merged    .env.example
>   merged    package.json
>   added     system-packages.txt
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw status
> core 1.0.0
>   telegram 1.0.0
$ nanoclaw verify
> 10 files checked: all as recorded
$ nanoclaw skill apply telegram
> telegram 1.0.0 is already applied
$ cat package.json .env.example docker-compose.yml system-packages.txt
> {
>   "name": "postbox",
>   "version": "1.0.0",
>   "dependencies": {
>     "grammy": "^1.39.3",
>     "zod": "^3.22.4"
>   }
> }
> # Where it listens
> PORT=8080
>
> # Skill: telegram
> TELEGRAM_BOT_TOKEN=
> # Answer on Telegram only
> TELEGRAM_ONLY=false
> # what runs beside it
> services:
>   web: # the page
>     image: nginx:alpine
>     ports: ["8080:80"]
>   # skill: telegram
>   telegram-redis:
>     image: redis:alpine
>     ports:
>       - "6380:6379"
>     volumes:
>       - redis-data:/data
>
> volumes:
>   # skill: telegram
>   redis-data: {}
> # Packages of the distribution that skills need; see 'nanoclaw doctor'.
> ca-certificates
> ffmpeg
$ nanoclaw diff --by package.json
> package.json
> core      1  {
>           2    "name": "postbox",
>           3    "version": "1.0.0",
>           4    "dependencies": {
> telegram  5      "grammy": "^1.39.3",
>           6      "zod": "^3.22.4"
> core      7    }
>           8  }
>   6 core, 2 skill telegram
