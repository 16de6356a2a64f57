# user-skill check reports every fault with its line, and needs no store
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
-- skills/planning/Day-2/SKILL.md --
<!-- The four sections are enough. -->
# SKILL: Second Day

## Trigger

- /second

## Context Required

None

## Instructions

1. Read the notes.
2. Sort them.
3. Write them down.

## Output Format

A list.
-- bad.md --
# SKILL: AB

## Metadata

- ID: good morning
- Version: 1
- Category: planning
- Generated: 2026-02-30
- Source: Homemade
- Colour: blue

## Trigger

```
## Instructions
```

## Context Required

None

## Output Format

Send it to jane@acme.io.
-- twice/a/skill_one_001/SKILL.md --
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
-- twice/b/skill_two_001/SKILL.md --
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
-- twice/c/platform/manifest.yaml --
skill: p
-- twice/c/platform/SKILL.md --
# SKILL: platform
-- twice/SKILL.md --
misplaced
== run ==
$ nanoclaw user-skill check
> skills/planning/Day-2/SKILL.md:12: warning: there are no quality criteria
>     say in '## Quality Criteria' what makes a good answer
> 2 user skills checked: 0 errors, 1 warning
$ nanoclaw user-skill check skills/planning/skill_morning_brief_001/SKILL.md skills/planning skills/planning/skill_morning_brief_001
> skills/planning/Day-2/SKILL.md:12: warning: there are no quality criteria
>     say in '## Quality Criteria' what makes a good answer
> 2 user skills checked: 0 errors, 1 warning
$ nanoclaw user-skill check bad.md
? 2
> bad.md:1: error: the name has 2 characters, and must have 3 to 100
>     write '# SKILL: ' and what it does
> bad.md:5: error: 'good morning' is not an ID
>     write letters, digits, '_' and '-': email-summary
> bad.md:6: error: '1' is not a version
>     write two or three numbers: 1.0 or 1.0.2
> bad.md:8: error: '2026-02-30' is not a date
>     write it as 2026-02-25
> bad.md:9: error: 'Homemade' is not a source
>     write Pre-built, Advisor-created, Auto-generated, User-created or Marketplace
> bad.md:10: warning: the key 'Colour' is not known
> bad.md:12: error: the trigger has no command and no condition
>     add a line '- /name: what it does'
> bad.md:24: error: the section 'Instructions' is missing
>     add '## Instructions'
> bad.md:24: warning: a mail address: 'jane@acme.io'
> 1 user skill checked: 7 errors, 2 warnings
$ nanoclaw user-skill check bad.md -q
? 2
> bad.md:1: error: the name has 2 characters, and must have 3 to 100
> bad.md:5: error: 'good morning' is not an ID
> bad.md:6: error: '1' is not a version
> bad.md:8: error: '2026-02-30' is not a date
> bad.md:9: error: 'Homemade' is not a source
> bad.md:12: error: the trigger has no command and no condition
> bad.md:24: error: the section 'Instructions' is missing
$ nanoclaw user-skill check bad.md --json
? 2
> {
>   "error": "7 errors",
>   "errors": 7,
>   "faults": [
>     {
>       "hint": "write '# SKILL: ' and what it does",
>       "line": 1,
>       "severity": "error",
>       "text": "the name has 2 characters, and must have 3 to 100"
>     },
>     {
>       "hint": "write letters, digits, '_' and '-': email-summary",
>       "line": 5,
>       "severity": "error",
>       "text": "'good morning' is not an ID"
>     },
>     {
>       "hint": "write two or three numbers: 1.0 or 1.0.2",
>       "line": 6,
>       "severity": "error",
>       "text": "'1' is not a version"
>     },
>     {
>       "hint": "write it as 2026-02-25",
>       "line": 8,
>       "severity": "error",
>       "text": "'2026-02-30' is not a date"
>     },
>     {
>       "hint": "write Pre-built, Advisor-created, Auto-generated, User-created or Marketplace",
>       "line": 9,
>       "severity": "error",
>       "text": "'Homemade' is not a source"
>     },
>     {
>       "line": 10,
>       "severity": "warning",
>       "text": "the key 'Colour' is not known"
>     },
>     {
>       "hint": "add a line '- /name: what it does'",
>       "line": 12,
>       "severity": "error",
>       "text": "the trigger has no command and no condition"
>     },
>     {
>       "hint": "add '## Instructions'",
>       "line": 24,
>       "severity": "error",
>       "text": "the section 'Instructions' is missing"
>     },
>     {
>       "line": 24,
>       "severity": "warning",
>       "text": "a mail address: 'jane@acme.io'"
>     }
>   ],
>   "file": "bad.md",
>   "fixed": false,
>   "skill": "good morning",
>   "success": false,
>   "warnings": 2
> }
$ nanoclaw user-skill check twice
? 2
> twice/a/skill_one_001/SKILL.md:5: warning: the ID is 'skill_morning_brief_001', and the folder 'skill_one_001'
> twice/a/skill_one_001/SKILL.md:7: warning: the category is 'planning', and the folder 'a'
> twice/b/skill_two_001/SKILL.md:5: error: the ID 'skill_morning_brief_001' is also that of 'twice/a/skill_one_001/SKILL.md'
> twice/b/skill_two_001/SKILL.md:5: warning: the ID is 'skill_morning_brief_001', and the folder 'skill_two_001'
> twice/b/skill_two_001/SKILL.md:7: warning: the category is 'planning', and the folder 'b'
> twice/b/skill_two_001/SKILL.md:14: warning: the command '/brief' is also that of 'twice/a/skill_one_001/SKILL.md'
> twice/SKILL.md:1: warning: left aside: it is not at <category>/<id>/SKILL.md
> 2 user skills checked: 1 error, 6 warnings
$ nanoclaw user-skill check twice/c/platform
? 2
2> error: 'twice/c/platform' has a manifest.yaml, and is a platform skill
2> hint: 'nanoclaw skill check twice/c/platform' checks it
$ nanoclaw user-skill check nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ mkdir empty && nanoclaw user-skill check empty; rmdir empty
2> error: there is no user skill in 'empty'
2> hint: they are <category>/<id>/SKILL.md in a library
