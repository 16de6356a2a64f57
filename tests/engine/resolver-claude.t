# Claude Code as a resolver gets the task, the state, the files and all documents of the skills
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- .claude/skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- .claude/skills/a/SKILL.md --
About a.
-- .claude/skills/a/modify/a.txt --
one
two A
three
-- .claude/skills/a/modify/a.txt.intent.md --
# Intent of a
-- .claude/skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- .claude/skills/b/SKILL.md --
About b.
-- .claude/skills/b/modify/a.txt --
one
two B
three
-- .claude/skills/b/modify/a.txt.intent.md --
# Intent of b
-- claude [755] --
#!/bin/sh
cat >~/prompt
printf 'one\ntwo A and B\nthree\n' >a.txt
== run ==
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$ NANOCLAW_CLAUDE=$PWD/claude nanoclaw skill apply b --resolver claude
> b 1.0.0 applied
>   resolved  a.txt
$ sed '1,/whatever they say/d' ~/prompt
>
> The files to edit:
> - a.txt (skill b 1.0.0)
>
> The core has version 1.0.0. Applied skills, in this order: a 1.0.0, b 1.0.0
>
> Skill a 1.0.0:
>
> --- begin of SKILL.md of a ---
> About a.
>
> --- end of SKILL.md of a ---
>
> --- begin of intent for a.txt ---
> # Intent of a
>
> --- end of intent for a.txt ---
>
> Skill b 1.0.0:
>
> --- begin of SKILL.md of b ---
> About b.
>
> --- end of SKILL.md of b ---
>
> --- begin of intent for a.txt ---
> # Intent of b
>
> --- end of intent for a.txt ---
== after ==
-- a.txt --
one
two A and B
three
