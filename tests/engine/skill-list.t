# available and applied skills are listed, with the files that they share
# ending: there is a state and no base
-- .nanoclaw/state.yaml --
skills_system_version: "0.1.0"
core_version: 0.1.0
applied_skills:
  - plain
  - name: telegram
    version: 1.0.0
    file_hashes: {src/config.ts: abc, src/telegram.ts: abc}
  - skill: gone
    version: 0.3.0
    file_hashes:
      src/config.ts: abc
-- .claude/skills/add-telegram/manifest.yaml --
skill: telegram
version: 1.1.0
description: |
  Telegram Bot API integration
  in many lines
core_version: 0.1.0
adds: [src/telegram.ts]
modifies: [src/config.ts]
-- .claude/skills/setup/SKILL.md --
instructions for Claude Code, no package
-- skills/discord/manifest.yaml --
skill: discord
version: 2.0.0-rc.1
description: "Discord \e[31mbot"
core_version: 0.1.0
modifies: [src/config.ts]
-- skills/broken/manifest.yaml --
skill: broken
-- skills/writing/essay/SKILL.md --
a user skill
== run ==
$ nanoclaw skill list
> skill     version     applied  description
> discord   2.0.0-rc.1  -        Discord ?[31mbot
> gone      -           0.3.0    (its package is not in this project)
> plain     -           yes      (its package is not in this project)
> telegram  1.1.0       1.0.0    Telegram Bot API integration
2> warning: 'skills/broken' has faults and is ignored: 'nanoclaw skill check' shows them
$ nanoclaw -q skill list -v
> skill     version     applied  description
> discord   2.0.0-rc.1  -        Discord ?[31mbot
> gone      -           0.3.0    (its package is not in this project)
> plain     -           yes      (its package is not in this project)
> telegram  1.1.0       1.0.0    Telegram Bot API integration
>
> files that more than one skill touches
> 'src/config.ts': discord, gone, telegram
$ nanoclaw -q --json skill list
> {
>   "broken": [
>     "skills/broken"
>   ],
>   "overlaps": {
>     "src/config.ts": [
>       "discord",
>       "gone",
>       "telegram"
>     ]
>   },
>   "skills": [
>     {
>       "applied": false,
>       "appliedVersion": null,
>       "description": "Discord \u001b[31mbot",
>       "folder": "skills/discord",
>       "name": "discord",
>       "version": "2.0.0-rc.1"
>     },
>     {
>       "applied": true,
>       "appliedVersion": "0.3.0",
>       "description": null,
>       "folder": null,
>       "name": "gone",
>       "version": null
>     },
>     {
>       "applied": true,
>       "appliedVersion": null,
>       "description": null,
>       "folder": null,
>       "name": "plain",
>       "version": null
>     },
>     {
>       "applied": true,
>       "appliedVersion": "1.0.0",
>       "description": "Telegram Bot API integration\nin many lines\n",
>       "folder": ".claude/skills/add-telegram",
>       "name": "telegram",
>       "version": "1.1.0"
>     }
>   ],
>   "success": true
> }
$ cd skills/writing && nanoclaw -q skill list | wc -l
> 5
