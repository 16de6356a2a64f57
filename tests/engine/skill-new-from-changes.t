# a package of changes has the core's files with these changes alone
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/app.ts --
import { a } from './a';

export function start() {
  a();
}

export function stop() {
  return 0;
}
-- src/old.ts --
export const first = 1;
export const second = 2;
export const third = 3;
export const fourth = 4;
-- src/gone.ts --
never used
-- tool --
#!/bin/sh
echo tool
-- skills/loud/manifest.yaml --
skill: loud
version: 1.0.0
description: Loud
core_version: 1.0.0
modifies: [src/app.ts]
-- skills/loud/SKILL.md --
Loud.
-- skills/loud/modify/src/app.ts --
import { a } from './a';

export function start() {
  console.log('START');
  a();
}

export function stop() {
  return 0;
}
-- skills/loud/modify/src/app.ts.intent.md --
# Intent
## What changed
It is said.
## Key sections
start
## Invariants
None.
## Must-keep
Nothing.
== run ==
$ nanoclaw skill apply loud -q
> loud 1.0.0 applied
$ sed -i 's/return 0/return 1/' src/app.ts
$ echo "export const quiet = true;" > src/quiet.ts
$ chmod +x tool
$ rm src/gone.ts
$ sed 's/2/22/' src/old.ts > src/new.ts && rm src/old.ts
$ mkdir -p data && echo secret > .env && echo ignored > data/x
$ nanoclaw skill new quiet --from-changes --dry-run
> would create .claude/skills/quiet
>   modify   src/app.ts
>   delete   src/gone.ts
>   rename   src/old.ts -> src/new.ts
>   modify   src/new.ts
>   add      src/quiet.ts
>   modify   tool
> Applied in memory, it gives exactly these changes.
$! nanoclaw skill new quiet --from-changes
> created .claude/skills/quiet
>   modify   src/app.ts
>   delete   src/gone.ts
>   rename   src/old.ts -> src/new.ts
>   modify   src/new.ts
>   add      src/quiet.ts
>   modify   tool
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/quiet
>   nanoclaw skill apply quiet   (the skill then owns your changes)
$ nanoclaw skill check .claude/skills/quiet
> .claude/skills/quiet/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/quiet/modify/src/app.ts.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/quiet/modify/src/new.ts.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/quiet/modify/tool.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 1 package checked: 0 errors, 4 warnings
== after ==
-- .claude/skills/quiet/SKILL.md --
---
name: quiet
description: Changes src/app.ts, deletes src/gone.ts and 3 more
---

# quiet

Changes src/app.ts, deletes src/gone.ts and 3 more.

<!-- author: what this skill is good for, and why it works this way -->

## Steps

1. Run `nanoclaw status`. If `quiet` is listed, it is applied: say so, and stop.
2. Run `nanoclaw skill apply quiet --dry-run`, and show the person what would change
   and which commands would run.
3. Ask the questions below, then run `nanoclaw skill apply quiet`.
4. Exit code 3 is a conflict: merge the files that it lists, as the intent files in
   `modify/` say, and run `nanoclaw continue`; `nanoclaw abort` undoes everything.
   After any other failure nothing has changed: show the message.
5. Run `nanoclaw status`, and say what the person has now.

## Ask

- Apply the skill, with the changes and commands of step 2?
- If `nanoclaw status` lists unrecorded changes: record them as a patch
  (`--on-drift record`), or leave them as they are (`--on-drift continue`)?

<!-- author: what else to ask, and what there is to set up afterwards; or delete this -->

## Files

- changes `src/app.ts`
- deletes `src/gone.ts`
- renames `src/old.ts` to `src/new.ts`
- changes `src/new.ts`
- adds `src/quiet.ts`
- changes `tool`
-- .claude/skills/quiet/add/src/quiet.ts --
export const quiet = true;
-- .claude/skills/quiet/manifest.yaml --
skill: quiet
version: 1.0.0
description: Changes src/app.ts, deletes src/gone.ts and 3 more
core_version: 1.0.0
adds:
  - src/quiet.ts
modifies:
  - src/app.ts
  - src/new.ts
  - tool
base_hashes:
  src/app.ts: b092d86655733a96d429069ec2b0b947f32facbf865840a391c943186a397243
  src/new.ts: 4b770db031b29ebd12108abe95a89eae933c85dbbc795be6801caf45f533f8f2
  tool: bf664cf84f00f6ed76164c8457fdeaf8e4dee547226e9ffcf8274e2d2246fed9
file_ops:
  - type: delete
    path: src/gone.ts
  - type: rename
    from: src/old.ts
    to: src/new.ts
-- .claude/skills/quiet/modify/src/app.ts --
import { a } from './a';

export function start() {
  a();
}

export function stop() {
  return 1;
}
-- .claude/skills/quiet/modify/src/app.ts.intent.md --
# Intent: src/app.ts

## What this skill adds

<!-- author: what this change is for, and why it is done this way -->

1 line is replaced by 1.

## Key sections

- `export function stop()`: line 8

## Invariants

- Nothing changes outside of the sections above.
- These lines were replaced or removed, and stay out:
  - `return 0;`

## Must-keep

- `return 1;`
-- .claude/skills/quiet/modify/src/new.ts --
export const first = 1;
export const second = 22;
export const third = 3;
export const fourth = 4;
-- .claude/skills/quiet/modify/src/new.ts.intent.md --
# Intent: src/new.ts

## What this skill adds

<!-- author: what this change is for, and why it is done this way -->

1 line is replaced by 1.

## Key sections

- `export const second = 22;`: line 2

## Invariants

- Nothing changes outside of the sections above.
- These lines were replaced or removed, and stay out:
  - `export const second = 2;`

## Must-keep

- `export const second = 22;`
-- .claude/skills/quiet/modify/tool [755] --
#!/bin/sh
echo tool
-- .claude/skills/quiet/modify/tool.intent.md --
# Intent: tool

## What this skill adds

<!-- author: what this change is for, and why it is done this way -->

The file is now executable.

## Key sections

- The permissions of the file.

## Invariants

- Every existing line stays.

## Must-keep

- Nothing in particular.
-- .claude/skills/quiet/tests/README.md --
# Tests of quiet

Put a test here that fails without the skill, and say in `manifest.yaml` how it is
run, from the root of the project:

    test: sh .claude/skills/quiet/tests/quiet.sh

It runs whenever the skill is applied, and after every other operation.
-- .env --
secret
-- data/x --
ignored
-- src/app.ts --
import { a } from './a';

export function start() {
  console.log('START');
  a();
}

export function stop() {
  return 1;
}
-- !src/gone.ts --
-- src/new.ts --
export const first = 1;
export const second = 22;
export const third = 3;
export const fourth = 4;
-- !src/old.ts --
-- src/quiet.ts --
export const quiet = true;
-- tool [755] --
#!/bin/sh
echo tool
