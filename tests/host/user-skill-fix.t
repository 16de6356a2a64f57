# user-skill check --fix writes the usual form, and changes no word
-- odd.md [crlf] --


#   SKILL:   Morning Brief ##
## Metadata
*  **ID:** skill_morning_brief_001
* Version : 1.0
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Active
## Trigger
- /brief
## Context Required
None
## Instructions
1. Read the notes.
2. Sort them.
3. Write them down.


## Output Format
A list.
## Quality Criteria
- at most ten lines
-- faulty.md --
# SKILL: Left as it is
##   Metadata
== run ==
$ nanoclaw user-skill check --fix odd.md
> odd.md: written in the standard form
> 1 user skill checked: no faults
$ nanoclaw user-skill check --fix odd.md
> 1 user skill checked: no faults
$ nanoclaw user-skill check --fix faulty.md -q
? 2
> faulty.md:2: error: the section 'Context Required' is missing
> faulty.md:2: error: the section 'Instructions' is missing
> faulty.md:2: error: the section 'Output Format' is missing
> faulty.md:2: error: the section 'Trigger' is missing
== after ==
-- odd.md --
# SKILL: Morning Brief

## Metadata

- ID: skill_morning_brief_001
- Version: 1.0
- Category: planning
- Generated: 2026-02-25
- Source: Pre-built
- Status: Active

## Trigger

- /brief

## Context Required

None

## Instructions

1. Read the notes.
2. Sort them.
3. Write them down.

## Output Format

A list.

## Quality Criteria

- at most ten lines
