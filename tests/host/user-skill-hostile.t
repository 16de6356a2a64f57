# entries that are not files, or too large: each is reported without blocking, and the others are read
ignore: logs store data log groups container skills
-- skills/planning/skill_day_plan_001/SKILL.md --
# SKILL: Day Plan

## Metadata

- ID: skill_day_plan_001
- Version: 1.0
- Category: planning
- Generated: 2026-11-16
- Source: Pre-built
- Status: Active

## Trigger

- `/help`: what to do
- Schedule: every weekday at 07:30

## Context Required

- None

## Instructions

1. Look.
2. Order.
3. Write.

## Output Format

A list.

## Quality Criteria

- Short
== run ==
$ mkdir -p skills/planning/skill_large_001 skills/planning/skill_fifo_001
$ head -c 4194305 /dev/zero >skills/planning/skill_large_001/SKILL.md
$ mkfifo skills/planning/skill_fifo_001/SKILL.md
$ nanoclaw user-skill check
? 2
> skills/planning/skill_day_plan_001/SKILL.md:14: warning: '/help' is answered by the assistant itself, and never reaches the skill
>     give it another name
> skills/planning/skill_large_001/SKILL.md:1: error: 'skills/planning/skill_large_001/SKILL.md' is larger than 4194304 bytes
> skills/planning/skill_fifo_001/SKILL.md:1: warning: left aside: it is not a regular file
> 2 user skills checked: 1 error, 2 warnings
$ nanoclaw user-skill sync
? 2
> added    skill_day_plan_001  skills/planning/skill_day_plan_001/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged, 1 skipped
2> warning: skills/planning/skill_fifo_001/SKILL.md is skipped: it is not a regular file
2> error: skills/planning/skill_large_001/SKILL.md: 'planning/skill_large_001/SKILL.md' is larger than 4194304 bytes
$ nanoclaw user-skill import skills/planning/skill_fifo_001/SKILL.md
? 2
2> error: '[dir]/skills/planning/skill_fifo_001/SKILL.md' is not a regular file
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw user-skill import skills/planning/skill_fifo_001/SKILL.md
? 2
2> error: '[dir]/skills/planning/skill_fifo_001/SKILL.md' is not a regular file
$ nanoclaw user-skill override main /dev/zero
? 2
2> error: '/dev/zero' is not a regular file
$ nanoclaw user-skill list
> id                  status  commands  name
> skill_day_plan_001  Active  /help     Day Plan
