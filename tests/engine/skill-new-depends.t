# a change within another skill's lines, or in its file, depends on that skill
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
-- skills/loud/manifest.yaml --
skill: loud
version: 1.0.0
core_version: 1.0.0
adds: [src/loud.txt]
modifies: [src/app.txt]
-- skills/loud/SKILL.md --
Loud.
-- skills/loud/add/src/loud.txt --
LOUD
LOUDER
-- skills/loud/modify/src/app.txt --
one
TWO
three
== run ==
$ nanoclaw skill apply loud -q
> loud 1.0.0 applied
$ sed -i 's/TWO/TWO!/' src/app.txt
$ sed -i 's/LOUDER/LOUDEST/' src/loud.txt
$! nanoclaw skill new louder --from-changes
> created .claude/skills/louder
>   modify   src/app.txt   (on top of loud)
>   modify   src/loud.txt   (on top of loud)
>   depends  loud
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/louder
>   nanoclaw skill apply louder   (the skill then owns your changes)
$ nanoclaw skill check .claude/skills/louder
> .claude/skills/louder/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/louder/modify/src/app.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/louder/modify/src/loud.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 1 package checked: 0 errors, 3 warnings
$ mkdir ../copy && cp -r VERSION skills .claude .nanoclaw/base/src ../copy
$ cd ../copy && nanoclaw skill apply louder loud && cat src/app.txt src/loud.txt
> loud 1.0.0 applied
>   added     src/loud.txt
>   merged    src/app.txt
> louder 1.0.0 applied
>   merged    src/app.txt
>   merged    src/loud.txt
> one
> TWO!
> three
> LOUD
> LOUDEST
== after ==
-- .claude/skills/louder/SKILL.md --
---
name: louder
description: Changes src/app.txt, src/loud.txt
---

# louder

Changes src/app.txt, src/loud.txt.

<!-- author: what this skill is good for, and why it works this way -->

## Steps

1. Run `nanoclaw status`. If `louder` is listed, it is applied: say so, and stop.
2. Run `nanoclaw skill apply louder --dry-run`, and show the person what would change
   and which commands would run.
3. Ask the questions below, then run `nanoclaw skill apply louder`.
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

- changes `src/app.txt`, on top of `loud`
- changes `src/loud.txt`, on top of `loud`
-- .claude/skills/louder/manifest.yaml --
skill: louder
version: 1.0.0
description: Changes src/app.txt, src/loud.txt
core_version: 1.0.0
modifies:
  - src/app.txt
  - src/loud.txt
base_hashes:
  src/app.txt: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
  src/loud.txt: 7532fd50c252938b1392046cfb8b9f7cd04f0ca790bfc6c105bb9c29cc973a1d
depends:
  - loud
-- .claude/skills/louder/modify/src/app.txt --
one
TWO!
three
-- .claude/skills/louder/modify/src/app.txt.intent.md --
# Intent: src/app.txt

## What this skill adds

<!-- author: what this change is for, and why it is done this way -->

1 line is replaced by 1.

## Key sections

- `one`: line 2

## Invariants

- Nothing changes outside of the sections above.
- These lines were replaced or removed, and stay out:
  - `TWO`

## Must-keep

- `TWO!`
-- .claude/skills/louder/modify/src/loud.txt --
LOUD
LOUDEST
-- .claude/skills/louder/modify/src/loud.txt.intent.md --
# Intent: src/loud.txt

## What this skill adds

<!-- author: what this change is for, and why it is done this way -->

1 line is replaced by 1.

## Key sections

- `LOUD`: line 2

## Invariants

- Nothing changes outside of the sections above.
- These lines were replaced or removed, and stay out:
  - `LOUDER`

## Must-keep

- `LOUDEST`
-- .claude/skills/louder/tests/README.md --
# Tests of louder

Put a test here that fails without the skill, and say in `manifest.yaml` how it is
run, from the root of the project:

    test: sh .claude/skills/louder/tests/louder.sh

It runs whenever the skill is applied, and after every other operation.
-- src/app.txt --
one
TWO!
three
-- src/loud.txt --
LOUD
LOUDEST
