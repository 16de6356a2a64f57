# the log of a host counts user skills that change together, and names a few
needs: sandbox
ignore: **
-- one --
# SKILL: NAME

## Trigger
- /COMMAND: does it

## Context Required
- nothing

## Instructions
1. Look.
2. Think.
3. Answer.

## Output Format
A line.
== run ==
$ for i in 1 2 3 4 5 6; do mkdir -p skills/planning/s$i; \
  sed "s/NAME/Number $i/; s/COMMAND/cmd$i/" one >skills/planning/s$i/SKILL.md; done
$ echo hello | nanoclaw start >answer; nanoclaw logs | cut -c 22- | grep 'user skill'
> user skills: 6 added, 0 changed, 0 gone
$ rm -r skills/planning/s6; echo hello | nanoclaw start >answer; nanoclaw logs | cut -c 22- | grep "user skill '"
> user skill 's6' is gone
