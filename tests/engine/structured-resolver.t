# a resolver is shown what skills want differently, and its choice is kept as a decision
# Where the resolver's folder cannot be read, the operation pauses instead.
faults: kill torn eio enospc call
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
structured: {npm_dependencies: {grammy: "^1.0.0"}}
-- skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^2.0.0"}}
-- resolver [755] --
#!/bin/sh
path=$(sed -n 's/.*"edit": *"\([^"]*\)".*/\1/p' | head -n 1)
sed -i '/^<<<<<<< /,/^=======/d; /^>>>>>>> /d' "$path"
== run ==
$! nanoclaw skill apply --no-install one two --resolver "$PWD/resolver"
> one 1.0.0 applied
> two 1.0.0 applied
>   resolved  package.json
2> warning: skill 'one' wants 'grammy' ^1.0.0, and skill 'two' wants ^2.0.0
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {
>   "name": "postbox",
>   "dependencies": {
>     "grammy": "^2.0.0"
>   }
> }
$ grep -A 8 '^structured_decisions' .nanoclaw/state.yaml
> structured_decisions:
>   npm_dependencies:
>     grammy:
>       claims:
>         one: ^1.0.0
>         two: ^2.0.0
>       value: ^2.0.0
> structured_files:
>   package.json:
