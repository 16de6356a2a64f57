# ranges that nothing satisfies are a conflict that is resolved once
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox"
}
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.0.0", left: "^1.0.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^2.0.0"}}
-- skills/three/manifest.yaml --
skill: three
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {graphql: "^16.0.0"}}
== run ==
$ nanoclaw -q skill apply --no-install one
> one 1.0.0 applied
$! nanoclaw skill apply --no-install two
? 3
> two 1.0.0 paused
>   CONFLICT  package.json
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: skill 'one' wants 'grammy' ^1.0.0, and skill 'two' wants ^2.0.0
$ cat package.json
> {
>   "name": "postbox",
>   "dependencies": {
> <<<<<<< yours
>     "grammy": "^1.0.0",
> ||||||| without either
> =======
>     "grammy": "^2.0.0",
> >>>>>>> two 1.0.0
>     "left": "^1.0.0"
>   }
> }
$ nanoclaw continue --no-install
? 3
> two 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'package.json' still has conflict markers
$ sed -i '/^<<<<<<< /d; /^|||||||/,/^>>>>>>> /d' package.json
$! nanoclaw continue --no-install
> two 1.0.0 applied
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw status
> core 1.0.0
>   one 1.0.0
>   two 1.0.0
$! nanoclaw skill apply --no-install three
> three 1.0.0 applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {
>   "name": "postbox",
>   "dependencies": {
>     "grammy": "^1.0.0",
>     "graphql": "^16.0.0",
>     "left": "^1.0.0"
>   }
> }
$ nanoclaw verify
> 7 files checked: all as recorded
$ sed -n '/^structured_decisions/,/^[a-z]*_[a-z]*:$/p' .nanoclaw/state.yaml
> structured_decisions:
>   npm_dependencies:
>     grammy:
>       claims:
>         one: ^1.0.0
>         two: ^2.0.0
>       value: ^1.0.0
> structured_files:
