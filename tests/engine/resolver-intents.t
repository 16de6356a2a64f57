# a resolver reads SKILL.md and the intents of all skills in a conflict, or none of them
# Where the resolver's folder cannot be read, the operation pauses instead.
faults: kill torn eio enospc call
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
-- resolve [755] --
#!/bin/sh
known=$(grep -o 'About [ab]\|Intent of [ab]' | sort -u)
printf 'one\n%s\nthree\n' "$known" >a.txt
== run ==
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$! nanoclaw skill apply b --resolver false
? 3
> b 1.0.0 paused
>   CONFLICT  a.txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: the resolver's result is discarded: it failed with exit code 1
$ nanoclaw -q abort
$! nanoclaw skill apply b --resolver "$PWD/resolve"
> b 1.0.0 applied
>   resolved  a.txt
== after ==
-- a.txt --
one
About a
About b
Intent of a
Intent of b
three
