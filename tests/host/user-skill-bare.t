# a user skill with just the four required sections has the names of its folders, and works
ignore: store data groups skills gone again.md
-- skills/sales/follow-up/SKILL.md --
# SKILL: Follow Up

## Trigger

- /follow <name>: what to write next

## Context Required

None

## Instructions

1. Read the notes.
2. Sort them.
3. Write them down.

## Output Format

A list.
-- loose.md --
# SKILL: Loose Page

## Trigger

- /loose

## Context Required

None

## Instructions

1. Read.
2. Sort.
3. Write.

## Output Format

A list.
== run ==
$ nanoclaw user-skill sync
> added    follow-up  skills/sales/follow-up/SKILL.md
> 1 added, 0 changed, 0 gone, 0 unchanged
$ nanoclaw user-skill import loose.md
> 'loose' is imported as Proposed
$ nanoclaw user-skill list
> id         status    commands  name
> follow-up  Active    /follow   Follow Up
> loose      Proposed  /loose    Loose Page
$ nanoclaw user-skill show follow-up | head -6
> Follow Up
> id          follow-up
> version     1.0
> category    sales
> status      Active
> source      User-created
$ nanoclaw user-skill override main follow-up loose.md
> 'main' now has its own variant of 'follow-up'
$ nanoclaw user-skill assign follow-up main
> 'main' now has the skill 'follow-up': /loose
$ nanoclaw user-skill retire follow-up
> 'follow-up' was Active and is now Retired
$ nanoclaw user-skill export follow-up | head -9
> # SKILL: Follow Up
>
> ## Metadata
>
> - ID: follow-up
> - Category: sales
> - Status: Retired
>
> ## Trigger
$ nanoclaw user-skill remove loose --yes
> 'loose' is removed
$ nanoclaw user-skill list --status retired
> id         status   commands  name
> follow-up  Retired  /follow   Follow Up
