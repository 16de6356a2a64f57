# skill check lists the author's unfinished work: placeholders, descriptions, installs to declare
-- VERSION --
1.0.0
-- src/app.txt --
one
-- skills/early/SKILL.md --
---
name: early
---

# early

<!-- author: what is it for? -->
-- skills/early/manifest.yaml --
skill: early
version: 1.0.0
core_version: 1.0.0
adds: [early.example.md]
modifies: [src/app.txt]
post_apply:
  - npm install
  - npm ci && npm run build
  - cd web && npm install --save left-pad
  - sudo apt-get -y install ffmpeg; echo done
  - PIP_USER=1 python3 -m pip install -U yt-dlp
  - echo apt install is not run
-- skills/early/add/early.example.md --
An example.
-- skills/early/modify/src/app.txt --
one
two
-- skills/early/modify/src/app.txt.intent.md --
## What this skill adds

<!-- author: say here what this is for -->

## Key sections

- All

## Invariants

- None

## Must-keep

- None
-- skills/done/SKILL.md --
---
name: done
description: Does it
---

# done
-- skills/done/manifest.yaml --
skill: done
version: 1.0.0
description: Does it
core_version: 1.0.0
post_apply: [npm install]
== run ==
$ nanoclaw skill check skills/early
> skills/early/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/early/SKILL.md:1: warning: the front matter has no 'description': Claude Code needs it to offer the skill
> skills/early/SKILL.md:7: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/early/modify/src/app.txt.intent.md:3: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/early/manifest.yaml:4:8: warning: 'early.example.md' is the example from 'skill new': replace it with your own files
> skills/early/manifest.yaml:9:5: warning: 'npm install --save left-pad' belongs under 'structured' as 'npm_dependencies': then it is merged with other skills' entries and removed with the skill
> skills/early/manifest.yaml:10:5: warning: 'sudo apt-get -y install ffmpeg' belongs under 'structured' as 'system_packages': then it is merged with other skills' entries and removed with the skill
> skills/early/manifest.yaml:11:5: warning: 'PIP_USER=1 python3 -m pip install -U yt-dlp' belongs under 'structured' as 'system_packages': then it is merged with other skills' entries and removed with the skill
> 1 package checked: 0 errors, 8 warnings
$ nanoclaw skill check skills/done
> 1 package checked: no faults
