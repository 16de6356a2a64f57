# a person's edits in these files stay when the next skill is applied
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{
	"name": "postbox",
	"dependencies": {
		"b": "^2.0.0"
	}
}
-- .env.example [crlf] --
PORT=8080
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "^1.2.0", gone: "*"}, env_additions: [ONE, UNUSED], docker_compose_services: {db: {image: "postgres:16"}}, system_packages: [curl]}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {c: "^1.0.0"}, env_additions: [TWO], docker_compose_services: {cache: {image: redis}}, system_packages: [jq]}
== run ==
$ nanoclaw -q skill apply --no-install one
> one 1.0.0 applied
$ sed -i 's/"a": .*/"a": "1.5.0",/; /"gone"/d' package.json; sed -i 's/^\t\t"b": "^2.0.0",/\t\t"b": "^2.0.0"/' package.json; cat package.json
> {
> 	"name": "postbox",
> 	"dependencies": {
> 		"a": "1.5.0",
> 		"b": "^2.0.0"
> 	}
> }
$ sed -i 's/^ONE=/ONE=mine/; /^UNUSED/d' .env.example; printf 'LAST=1\r\n' >> .env.example
$ sed -i 's/postgres:16/postgres:17 # newer/' docker-compose.yml; sed -i '1i # mine\nmake' system-packages.txt
$ nanoclaw skill apply --no-install two --on-drift record
> your changes are recorded as 001-changes-to-env-example-and-3-more-files
> two 1.0.0 applied
>   merged    docker-compose.yml
>   merged    .env.example
>   merged    package.json
>   merged    system-packages.txt
2> warning: service 'db' of skill 'one' was changed in 'docker-compose.yml' by hand; the edit stays
2> warning: 'UNUSED' of skill 'one' was removed from '.env.example' by hand, and stays out; add a line 'UNUSED=' to have it again
2> warning: 'gone' was removed from 'package.json' and stays out, but skill 'one' wants it; to have it again, add it to 'package.json'
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json .env.example docker-compose.yml system-packages.txt
> {
> 	"name": "postbox",
> 	"dependencies": {
> 		"a": "1.5.0",
> 		"b": "^2.0.0",
> 		"c": "^1.0.0"
> 	}
> }
> PORT=8080[0d]
> [0d]
> # Skill: one[0d]
> ONE=mine[0d]
> LAST=1[0d]
> [0d]
> # Skill: two[0d]
> TWO=[0d]
> services:
>   # skill: one
>   db:
>     image: postgres:17 # newer
>   # skill: two
>   cache:
>     image: redis
> # mine
> curl
> jq
> make
> # Packages of the distribution that skills need; see 'nanoclaw doctor'.
$ nanoclaw status
> core 1.0.0
>   one 1.0.0
>   two 1.0.0
>   001-changes-to-env-example-and-3-more-files (custom patch)
$ nanoclaw verify
> 19 files checked: all as recorded
