# all facts of a package are shown
# ending: there is a state and no base
-- .nanoclaw/state.yaml --
applied_skills: [{name: discord, version: 1.0.0}, {name: telegram, version: 0.9.0}]
-- skills/discord/manifest.yaml --
{skill: discord, version: 1.0.0, core_version: 0.1.0, modifies: [src/config.ts]}
-- skills/mail/manifest.yaml --
skill: mail
version: 1.0.0
core_version: 0.1.0
structured:
  env_additions:
    - {name: MAIL_HOST, comment: Where the mail is}
    - MAIL_PORT=587
    - {name: MAIL_USER, default: andy}
-- .claude/skills/add-telegram/manifest.yaml --
skill: telegram
version: 1.0.0
description: Telegram Bot API integration
core_version: 0.1.0
author: nanoclaw-team
license: MIT
min_skills_system_version: 0.1.0
tested_with: [slack@1.0.0]
depends: [base]
conflicts: [whatsapp, signal]
adds: [src/telegram.ts, "src/a b.ts"]
modifies: [src/config.ts, src/index.ts]
file_ops:
  - {type: move, from: src/old.ts, to: src/new.ts}
  - {type: delete, path: src/dead.ts}
structured:
  npm_dependencies: {grammy: ^1.39.3}
  env_additions: [TELEGRAM_BOT_TOKEN, TELEGRAM_ONLY]
  docker_compose_services: {redis: {image: redis}}
post_apply: [npm run build]
test: npx vitest run src/telegram.test.ts
-- .claude/skills/add-telegram/modify/src/config.ts.intent.md --
# Intent: src/config.ts

## What changed
Added two configuration exports.
They are read from the environment.

## Invariants
- none
== run ==
$ nanoclaw skill show telegram
> telegram 1.0.0
> Telegram Bot API integration
>
>   folder        .claude/skills/add-telegram
>   applied       0.9.0
>   written for   core 0.1.0
>   needs system  0.1.0
>   author        nanoclaw-team
>   license       MIT
>   depends on    base
>   conflicts     whatsapp, signal
>   tested with   slack@1.0.0
>   adds          'src/telegram.ts'
>                 'src/a b.ts'
>   modifies      'src/config.ts', also touched by discord
>                   Added two configuration exports.
>                 'src/index.ts'
>   renames       'src/old.ts' to 'src/new.ts'
>   deletes       'src/dead.ts'
>   structured    npm_dependencies: grammy ^1.39.3
>                 env_additions: TELEGRAM_BOT_TOKEN, TELEGRAM_ONLY
>                 docker_compose_services: redis
>   then runs     npm run build
>   test          npx vitest run src/telegram.test.ts
$ nanoclaw skill show add-telegram | head -n 1
> telegram 1.0.0
$ nanoclaw skill show .claude/skills/add-telegram/ | head -n 1
> telegram 1.0.0
$ nanoclaw --json skill show telegram
> {
>   "adds": [
>     "src/telegram.ts",
>     "src/a b.ts"
>   ],
>   "applied": true,
>   "appliedVersion": "0.9.0",
>   "author": "nanoclaw-team",
>   "conflicts": [
>     "whatsapp",
>     "signal"
>   ],
>   "coreVersion": "0.1.0",
>   "depends": [
>     "base"
>   ],
>   "description": "Telegram Bot API integration",
>   "fileOps": [
>     {
>       "from": "src/old.ts",
>       "to": "src/new.ts",
>       "type": "rename"
>     },
>     {
>       "path": "src/dead.ts",
>       "type": "delete"
>     }
>   ],
>   "folder": ".claude/skills/add-telegram",
>   "intents": {
>     "src/config.ts": "Added two configuration exports.\nThey are read from the environment."
>   },
>   "license": "MIT",
>   "minSkillsSystemVersion": "0.1.0",
>   "modifies": [
>     "src/config.ts",
>     "src/index.ts"
>   ],
>   "overlaps": {
>     "src/config.ts": [
>       "discord"
>     ]
>   },
>   "postApply": [
>     "npm run build"
>   ],
>   "sha256": "9fb9e8ad1f0a43931821cb8f5c05020de2dc15e314fa9af2f415428eb5555708",
>   "skill": "telegram",
>   "structured": {
>     "docker_compose_services": {
>       "redis": {
>         "image": "redis"
>       }
>     },
>     "env_additions": [
>       "TELEGRAM_BOT_TOKEN",
>       "TELEGRAM_ONLY"
>     ],
>     "npm_dependencies": {
>       "grammy": "^1.39.3"
>     }
>   },
>   "success": true,
>   "test": "npx vitest run src/telegram.test.ts",
>   "testedWith": [
>     "slack@1.0.0"
>   ],
>   "version": "1.0.0"
> }
$ nanoclaw skill show mail
> mail 1.0.0
>
>   folder        skills/mail
>   applied       no
>   written for   core 0.1.0
>   structured    env_additions: MAIL_HOST, MAIL_PORT=587, MAIL_USER
$ nanoclaw skill show discord
> discord 1.0.0
>
>   folder        skills/discord
>   applied       1.0.0
>   written for   core 0.1.0
>   modifies      'src/config.ts', also touched by telegram
