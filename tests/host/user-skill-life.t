# a user skill from its file to its end: sync, assign, change, gone, retired
ignore: store data groups skills gone again.md
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
-- skills/flat/SKILL.md --
misplaced
== run ==
$ nanoclaw user-skill list
> no user skills yet: 'nanoclaw user-skill sync' loads the ones in 'skills/'
$ nanoclaw user-skill show skill_morning_brief_001
? 2
2> error: there are no user skills yet
2> hint: 'nanoclaw user-skill sync' loads the ones in 'skills/'
$ nanoclaw user-skill sync
> added    skill_morning_brief_001  skills/planning/skill_morning_brief_001/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged
2> warning: skills/flat/SKILL.md is skipped: it is not at <category>/<id>/SKILL.md
$ nanoclaw user-skill sync
> 0 added, 0 changed, 0 gone, 1 unchanged
2> warning: skills/flat/SKILL.md is skipped: it is not at <category>/<id>/SKILL.md
$ rm -r skills/flat
$ nanoclaw user-skill list
> id                       status  commands  name
> skill_morning_brief_001  Active  /brief    Morning Brief
$ nanoclaw user-skill list --category plannin
> no user skill matches
> did you mean '--category planning'?
$ nanoclaw user-skill list --status aktive
? 2
2> error: there is no status 'aktive'
2> hint: it is one of observed, proposed, approved, active, refined, retired
$ nanoclaw user-skill list --group main
> no user skill matches
$ nanoclaw user-skill assign skill_morning_brief_01 main
? 2
2> error: there is no user skill 'skill_morning_brief_01'
2> hint: did you mean 'skill_morning_brief_001'?
$ nanoclaw user-skill assign skill_morning_brief_001 family
? 2
2> error: there is no group 'family'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw user-skill assign skill_morning_brief_001 main
> 'main' now has the skill 'skill_morning_brief_001': /brief
$ nanoclaw user-skill assign skill_morning_brief_001 main
> 'main' already has the skill 'skill_morning_brief_001': /brief
$ nanoclaw user-skill list --group main
> id                       status  commands  name
> skill_morning_brief_001  Active  /brief    Morning Brief
$ nanoclaw user-skill run skill_morning_brief_001 main hello
? 1
2> error: the assistant's host is not running here
2> hint: 'nanoclaw start' starts it and opens a chat; 'nanoclaw run' in another terminal starts it alone
$ sed -i 's/Version: 1.0/Version: 1.1/; s/ten lines/five lines/' skills/planning/skill_morning_brief_001/SKILL.md
$ nanoclaw user-skill sync
> changed  skill_morning_brief_001  skills/planning/skill_morning_brief_001/SKILL.md
> 0 added, 1 changed, 0 gone, 0 unchanged
$ nanoclaw user-skill status skill_morning_brief_001 approved
? 2
2> error: 'skill_morning_brief_001' is Active, and cannot become Approved
2> hint: it can become Refined or Retired
$ nanoclaw user-skill status skill_morning_brief_001 refined
> 'skill_morning_brief_001' was Active and is now Refined
$ nanoclaw user-skill retire skill_morning_brief_001
> 'skill_morning_brief_001' was Refined and is now Retired
$ nanoclaw user-skill retire skill_morning_brief_001
> 'skill_morning_brief_001' is already Retired
$ nanoclaw user-skill run skill_morning_brief_001 main
? 2
2> error: 'skill_morning_brief_001' is Retired
$ nanoclaw user-skill status skill_morning_brief_001 active
> 'skill_morning_brief_001' was Retired and is now Active
$ mv skills gone
$ nanoclaw user-skill sync
> gone     skill_morning_brief_001  skills/planning/skill_morning_brief_001/SKILL.md
> 0 added, 0 changed, 1 gone, 0 unchanged
$ nanoclaw user-skill list
> id                       status  commands  name
> skill_morning_brief_001  gone    /brief    Morning Brief
$ mv gone skills
$ nanoclaw user-skill sync --json
> {
>   "added": 1,
>   "changed": 0,
>   "changes": [
>     {
>       "change": "added",
>       "path": "skills/planning/skill_morning_brief_001/SKILL.md",
>       "skill": "skill_morning_brief_001"
>     }
>   ],
>   "errors": 0,
>   "gone": 0,
>   "problems": [],
>   "read": 1,
>   "success": true,
>   "unchanged": 0,
>   "wrote": true
> }
$ nanoclaw user-skill show skill_morning_brief_001
> Morning Brief
> id          skill_morning_brief_001
> version     1.1
> category    planning
> status      Active
> source      Pre-built
> from        the file skills/planning/skill_morning_brief_001/SKILL.md
> command     /brief [topic]: the day at a glance
> schedule    every weekday at 08:00 (cron 0 8 * * 1-5)
> needs       Input: what to look at (optional)
> groups      main
> uses        none yet
>
> version  from  since                until                uses  quality
> 1.0      file  2001-02-03 04:05:06  2001-02-03 04:05:06  0     -
> 1.1      file  2001-02-03 04:05:06  now                  0     -
>
> status   before   of    by[..]at
> Active   -        file  [..]2001-02-03 04:05:06
> Refined  Active   file  [..]2001-02-03 04:05:06
> Retired  Refined  file  [..]2001-02-03 04:05:06
> Active   Retired  file  [..]2001-02-03 04:05:06
$ nanoclaw user-skill unassign skill_morning_brief_001 main
> 'main' no longer has the skill 'skill_morning_brief_001'
$ nanoclaw user-skill unassign skill_morning_brief_001 main
> 'main' did not have the skill 'skill_morning_brief_001'
