# entries that v0.1 wrote for a skill belong to that skill
unlisted: .nanoclaw skills package.json .env.example docker-compose.yml compose.yaml system-packages.txt
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox",
  "dependencies": {
    "grammy": "^1.39.3",
    "own": "1.0.0"
  }
}
-- .nanoclaw/state.yaml --
skills_system_version: 0.1.0
core_version: 1.0.0
applied_skills:
  - name: telegram
    version: 1.0.0
    structured_outcomes:
      npm_dependencies: {grammy: ^1.39.3}
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/package.json --
{
  "name": "postbox",
  "dependencies": {
    "own": "1.0.0"
  }
}
-- skills/telegram/manifest.yaml --
skill: telegram
version: 2.0.0
core_version: 1.0.0
structured: {npm_dependencies: {telegraf: "^4.16.0"}}
-- skills/slack/manifest.yaml --
skill: slack
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {grammy: "^1.40.0"}}
== run ==
$ nanoclaw skill apply --no-install slack --on-drift continue
> slack 1.0.0 applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw skill apply --no-install telegram --on-drift continue
> telegram 2.0.0 (before: 1.0.0) applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ cat package.json
> {
>   "name": "postbox",
>   "dependencies": {
>     "grammy": "^1.40.0",
>     "own": "1.0.0",
>     "telegraf": "^4.16.0"
>   }
> }
