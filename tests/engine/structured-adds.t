# a skill that adds such a file adds its own content: in every order, and in the next version
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- skills/file/manifest.yaml --
skill: file
version: 1.0.0
core_version: 1.0.0
adds: [package.json]
structured: {npm_dependencies: {a: "^1.0.0"}}
-- skills/file/add/package.json --
{
  "name": "postbox"
}
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {b: "^1.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install other
> other 1.0.0 applied
$ nanoclaw skill apply --no-install file
> file 1.0.0 applied
>   added     package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {
>   "name": "postbox",
>   "dependencies": {
>     "a": "^1.0.0",
>     "b": "^1.0.0"
>   }
> }
$ nanoclaw verify
> 5 files checked: all as recorded
$ sed -i 's/^version: 1.0.0/version: 1.1.0/' skills/file/manifest.yaml
$ sed -i 's/postbox/letterbox/' skills/file/add/package.json
$ nanoclaw skill apply --no-install file
> file 1.1.0 (before: 1.0.0) applied
>   merged    package.json
$ cat package.json
> {
>   "name": "letterbox",
>   "dependencies": {
>     "a": "^1.0.0",
>     "b": "^1.0.0"
>   }
> }
$ nanoclaw verify
> 5 files checked: all as recorded
$ rm -r skills/file/add
$ sed -i 's/^version: 1.1.0/version: 1.2.0/; /^adds:/d; /^structured:/d' skills/file/manifest.yaml
$ nanoclaw skill apply --no-install file
> file 1.2.0 (before: 1.1.0) applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {
>   "dependencies": {
>     "b": "^1.0.0"
>   }
> }
$ nanoclaw verify
> 5 files checked: all as recorded
