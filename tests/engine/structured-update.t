# a new version of a skill removes entries that it no longer declares
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{ "name": "postbox", "dependencies": { "own": "1.0.0" } }
-- .env.example --
PORT=8080
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "^1.2.0", shared: "^1.0.0"}, env_additions: [ONE], docker_compose_services: {db: {image: "postgres:16"}}, system_packages: [curl]}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {shared: "^1.1.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one two
> one 1.0.0 applied
> two 1.0.0 applied
$ sed -i 's/^version: .*/version: 1.1.0/; s/^structured: .*/structured: {npm_dependencies: {a: "^1.3.0"}}/' skills/one/manifest.yaml
$! nanoclaw skill apply --no-install one
> one 1.1.0 (before: 1.0.0) applied
>   removed   docker-compose.yml
>   merged    .env.example
>   merged    package.json
>   removed   system-packages.txt
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {"name":"postbox","dependencies":{"a":"^1.3.0","own":"1.0.0","shared":"^1.1.0"}}[no-newline]
$ sed -i 's/^version: .*/version: 2.0.0/; s/^structured: .*/description: nothing/' skills/one/manifest.yaml
$ sed -i 's/^version: .*/version: 2.0.0/; s/^structured: .*/description: nothing/' skills/two/manifest.yaml
$! nanoclaw skill apply --no-install one two
> one 2.0.0 (before: 1.1.0) applied
> two 2.0.0 (before: 1.0.0) applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json .env.example; ls
> { "name": "postbox", "dependencies": { "own": "1.0.0" } }
> PORT=8080
> VERSION
> package.json
> skills
$ nanoclaw status
> core 1.0.0
>   one 2.0.0
>   two 2.0.0
