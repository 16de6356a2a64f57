# a skill that changes package.json as text is merged so, with a warning
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox",
  "version": "1.0.0",
  "private": true,
  "license": "MIT"
}
-- skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- skills/old/modify/package.json --
{
  "name": "postbox",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "license": "MIT"
}
-- skills/new/manifest.yaml --
skill: new
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "^1.2.0"}}
== run ==
$ nanoclaw skill apply --no-install new
> new 1.0.0 applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw skill apply --no-install old
> old 1.0.0 applied
>   merged    package.json
2> warning: skill 'old' changes 'package.json' as text; it should declare 'npm_dependencies'
$ cat package.json
> {
>   "name": "postbox",
>   "version": "1.0.0",
>   "private": true,
>   "type": "module",
>   "license": "MIT",
>   "dependencies": {
>     "a": "^1.2.0"
>   }
> }
$ nanoclaw verify
> 6 files checked: all as recorded
