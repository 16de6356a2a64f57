# skills of the database and variants of groups: import, export, override, and which one holds
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
-- bought.md [crlf] --
# SKILL: Morning Brief

## Metadata

- ID: skill_morning_brief_001
- Version: 2.0
- Category: planning
- Generated: 2026-02-25
- Source: User-created
- Status: Active

## Trigger

- `/brief [topic]`: bought
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
-- variant.md --
# SKILL: Morning Brief

## Metadata

- ID: skill_morning_brief_001
- Version: 1.0.1
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Active

## Trigger

- `/brief [topic]`: for main
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
-- other.md --
# SKILL: Morning Brief

## Metadata

- ID: skill_packing_list_001
- Version: 1.0
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Proposed

## Trigger

- `/pack [topic]`: the day at a glance
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
== run ==
$ nanoclaw user-skill sync
> added    skill_morning_brief_001  skills/planning/skill_morning_brief_001/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged
$ nanoclaw user-skill import bought.md --source marketplace
> 'skill_morning_brief_001' is imported as Proposed
$ nanoclaw user-skill status skill_morning_brief_001 Approved && nanoclaw user-skill status skill_morning_brief_001 Active
> 'skill_morning_brief_001' was Proposed and is now Approved
> 'skill_morning_brief_001' was Approved and is now Active
$ nanoclaw user-skill import bought.md --source marketplace
> 'skill_morning_brief_001' is already imported
$ nanoclaw user-skill import bought.md --source somewhere
? 2
2> error: there is no source 'somewhere'
2> hint: a source is one of Pre-built, Advisor-created, Auto-generated, User-created, Marketplace
$ nanoclaw user-skill import other.md
> 'skill_packing_list_001' is imported as Proposed
$ nanoclaw user-skill list -v
> id                       status    version  category  from      commands  name
> skill_morning_brief_001  Active    2.0      planning  database  /brief    Morning Brief
> skill_packing_list_001   Proposed  1.0      planning  database  /pack     Morning Brief
$ nanoclaw user-skill override main variant.md
> 'main' now has its own variant of 'skill_morning_brief_001'
$ nanoclaw user-skill override main skill_packing_list_001 variant.md
? 2
2> error: '[dir]/variant.md' is the skill 'skill_morning_brief_001', and not 'skill_packing_list_001'
2> hint: a variant must have the ID of its skill
$ nanoclaw user-skill override main
> skill_morning_brief_001
$ nanoclaw user-skill show skill_morning_brief_001 --group main
> Morning Brief
> id          skill_morning_brief_001
> version     1.0.1
> category    planning
> status      Active
> source      Marketplace
> from        the variant of this group, over the database
> command     /brief [topic]: for main
> schedule    every weekday at 08:00 (cron 0 8 * * 1-5)
> needs       Input: what to look at (optional)
> variants    main
> uses        none yet
>
> version  from             since                until  uses  quality
> 1.0      file             2001-02-03 04:05:06  now    0     -
> 2.0      database         2001-02-03 04:05:06  now    0     -
> 1.0.1    variant of main  2001-02-03 04:05:06  now    0     -
>
> status    before    of        by[..]at
> Active    -         file      [..]2001-02-03 04:05:06
> Proposed  -         database  [..]2001-02-03 04:05:06
> Approved  Active    file      [..]2001-02-03 04:05:06
> Approved  Proposed  database  [..]2001-02-03 04:05:06
> Active    Approved  file      [..]2001-02-03 04:05:06
> Active    Approved  database  [..]2001-02-03 04:05:06
$ nanoclaw user-skill show skill_morning_brief_001 | grep -E '^(version|source|from|variants) '
> version     2.0
> source      Marketplace
> from        the database
> variants    main
> version  from             since                until  uses  quality
$ nanoclaw user-skill export skill_morning_brief_001 --group main | cmp - variant.md
$ nanoclaw user-skill export skill_morning_brief_001 --to bought.md
? 2
2> error: 'bought.md' already exists
2> hint: '--force' replaces it
$ nanoclaw user-skill export skill_morning_brief_001 --to again.md
> 'skill_morning_brief_001' is written to 'again.md'
$ diff bought.md again.md
? 1
> 9c9
> < - Source: User-created[0d]
> ---
> > - Source: Marketplace[0d]
$ nanoclaw user-skill import again.md
> 'skill_morning_brief_001' is updated as Proposed
$ nanoclaw user-skill status skill_morning_brief_001 Approved && nanoclaw user-skill status skill_morning_brief_001 Active
> 'skill_morning_brief_001' was Proposed and is now Approved
> 'skill_morning_brief_001' was Approved and is now Active
$ nanoclaw user-skill export skill_morning_brief_001 | cmp - again.md
$ nanoclaw user-skill override main --remove skill_morning_brief_001
> 'main' uses the skill 'skill_morning_brief_001' like all other groups
$ nanoclaw user-skill override main --remove skill_morning_brief_001
? 2
2> error: the group 'main' has no variant of 'skill_morning_brief_001'
$ nanoclaw user-skill remove skill_morning_brief_001
? 2
2> error: This deletes the imported text of 'skill_morning_brief_001'. Not a terminal, cannot ask
2> hint: 'nanoclaw user-skill export skill_morning_brief_001 --to FILE' keeps a copy; '--yes' deletes it without asking
$ nanoclaw user-skill remove skill_morning_brief_001 --yes
> 'skill_morning_brief_001' is removed
$ nanoclaw user-skill remove skill_morning_brief_001
? 2
2> error: 'skill_morning_brief_001' is a library file
2> hint: delete 'planning/skill_morning_brief_001/SKILL.md' there and run 'nanoclaw user-skill sync', or retire it
$ nanoclaw user-skill list --json
> {
>   "skills": [
>     {
>       "assigned": false,
>       "category": "planning",
>       "commands": [
>         {
>           "arguments": "[topic]",
>           "help": "the day at a glance",
>           "name": "brief"
>         }
>       ],
>       "definition": "file",
>       "generated": "2026-02-25",
>       "gone": false,
>       "id": "skill_morning_brief_001",
>       "name": "Morning Brief",
>       "origin": "file",
>       "path": "skills/planning/skill_morning_brief_001/SKILL.md",
>       "schedules": [
>         {
>           "text": "every weekday at 08:00",
>           "type": "cron",
>           "value": "0 8 * * 1-5"
>         }
>       ],
>       "source": "Pre-built",
>       "status": "Active",
>       "version": "1.0"
>     },
>     {
>       "assigned": false,
>       "category": "planning",
>       "commands": [
>         {
>           "arguments": "[topic]",
>           "help": "the day at a glance",
>           "name": "pack"
>         }
>       ],
>       "definition": "database",
>       "generated": "2026-02-25",
>       "gone": false,
>       "id": "skill_packing_list_001",
>       "name": "Morning Brief",
>       "origin": "database",
>       "path": null,
>       "schedules": [
>         {
>           "text": "every weekday at 08:00",
>           "type": "cron",
>           "value": "0 8 * * 1-5"
>         }
>       ],
>       "source": "Pre-built",
>       "status": "Proposed",
>       "version": "1.0"
>     }
>   ],
>   "success": true
> }
