# user skills are read when a host starts, and changed through it while it runs
needs: sandbox
ignore: logs store data log groups container
-- skills/planning/skill_morning_brief_001/SKILL.md --
# SKILL: Morning Brief

## Metadata

- ID: skill_morning_brief_001
- Version: 1.0
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Active

## Trigger

- `/brief [topic]`: the day at a glance
- every weekday at 08:00

## Context Required

- Input: what to look at (optional)

## Instructions

1. Read the notes.
2. Sort them.
3. Write them down.

## Output Format

A list.

## Quality Criteria

- at most ten lines
-- bought.md --
# SKILL: Morning Brief

## Metadata

- ID: skill_morning_brief_001
- Version: 2.0
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Active

## Trigger

- `/brief [topic]`: the day at a glance
- every weekday at 08:00

## Context Required

- Input: what to look at (optional)

## Instructions

1. Read the notes.
2. Sort them.
3. Write them down.

## Output Format

A list.

## Quality Criteria

- at most ten lines
-- faulty.md --
# SKILL: Faulty
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw user-skill list -v
> id                       status  version  category  from  commands  name
> skill_morning_brief_001  Active  1.0      planning  file  /brief    Morning Brief
$ nanoclaw user-skill assign skill_morning_brief_001 main
> 'main' now has the skill 'skill_morning_brief_001': /brief
$ nanoclaw user-skill assign skill_morning_brief_01 main
? 2
2> error: there is no user skill 'skill_morning_brief_01'
2> hint: did you mean 'skill_morning_brief_001'?
$ nanoclaw user-skill import bought.md --source marketplace
> 'skill_morning_brief_001' is imported as Proposed
$ nanoclaw user-skill status skill_morning_brief_001 Approved && nanoclaw user-skill status skill_morning_brief_001 Active
> 'skill_morning_brief_001' was Proposed and is now Approved
> 'skill_morning_brief_001' was Approved and is now Active
$ nanoclaw user-skill import faulty.md
? 2
2> error: [dir]/faulty.md:1: the section 'Context Required' is missing (and 3 more errors)
2> hint: 'nanoclaw user-skill check [dir]/faulty.md' shows all its faults
$ nanoclaw user-skill override main bought.md
> 'main' now has its own variant of 'skill_morning_brief_001'
$ nanoclaw user-skill list -v --group main
> id                       status  version  category  from      commands  name
> skill_morning_brief_001  Active  2.0      planning  override  /brief    Morning Brief
$ nanoclaw user-skill retire skill_morning_brief_001
> 'skill_morning_brief_001' was Active and is now Retired
$ nanoclaw user-skill sync
> 0 added, 0 changed, 0 gone, 1 unchanged
