# the task of a skill that is scheduled ends with the skill and comes back with it, and a person decides about it
ignore: store data log groups container
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

- `/plan`: what to do
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
-- ours.md --
# SKILL: Day Plan

## Metadata

- ID: skill_day_plan_001
- Version: 1.1
- Category: planning
- Generated: 2026-11-16
- Source: Pre-built
- Status: Active

## Trigger

- `/day`: what to do
- Schedule: every day at 06:00

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
$ nanoclaw user-skill sync
> added    skill_day_plan_001  skills/planning/skill_day_plan_001/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged
$ nanoclaw user-skill assign skill_day_plan_001 main
> 'main' now has the skill 'skill_day_plan_001': /plan
$ nanoclaw task list
> id  group  next run              schedule      prompt
> 1   main   [..] 07:30 UTC  30 7 * * 1-5  /plan
$ nanoclaw user-skill retire skill_day_plan_001
> 'skill_day_plan_001' was Active and is now Retired
$ nanoclaw task list
> no tasks yet: see 'nanoclaw task add --help'
$ nanoclaw user-skill status skill_day_plan_001 active
> 'skill_day_plan_001' was Retired and is now Active
$ nanoclaw task list
> id  group  next run              schedule      prompt
> 1   main   [..] 07:30 UTC  30 7 * * 1-5  /plan
$ nanoclaw task pause 1
> task 1 is paused
$ mv skills away && nanoclaw user-skill sync
> gone     skill_day_plan_001  skills/planning/skill_day_plan_001/SKILL.md
> 0 added, 0 changed, 1 gone, 0 unchanged
$ nanoclaw task list
> no tasks yet: see 'nanoclaw task add --help'
$ mv away skills && nanoclaw user-skill sync
> added    skill_day_plan_001  skills/planning/skill_day_plan_001/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged
$ nanoclaw task list
> id  group  next run  schedule      prompt
> 1   main   paused    30 7 * * 1-5  /plan
$ nanoclaw user-skill assign skill_day_plan_001 main
> 'main' already has the skill 'skill_day_plan_001': /plan
$ nanoclaw task list
> id  group  next run              schedule      prompt
> 1   main   [..] 07:30 UTC  30 7 * * 1-5  /plan
$ nanoclaw user-skill override main ours.md
> 'main' now has its own variant of 'skill_day_plan_001'
$ nanoclaw task list
> id  group  next run              schedule   prompt
> 1   main   [..] 06:00 UTC  0 6 * * *  /day
$ nanoclaw task cancel 1
> task 1 is cancelled
$ nanoclaw user-skill override main --remove skill_day_plan_001
> 'main' uses the skill 'skill_day_plan_001' like all other groups
$ nanoclaw user-skill retire skill_day_plan_001
> 'skill_day_plan_001' was Active and is now Retired
$ nanoclaw user-skill status skill_day_plan_001 active
> 'skill_day_plan_001' was Retired and is now Active
$ nanoclaw task list
> no tasks yet: see 'nanoclaw task add --help'
$ nanoclaw user-skill assign skill_day_plan_001 main
> 'main' already has the skill 'skill_day_plan_001': /plan
$ nanoclaw task list
> id  group  next run              schedule      prompt
> 1   main   [..] 07:30 UTC  30 7 * * 1-5  /plan
