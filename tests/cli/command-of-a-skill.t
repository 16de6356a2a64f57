# a command that a package of the project adds is not unknown: the hint says how to get it
ignore: .nanoclaw src
-- .claude/skills/frob/manifest.yaml --
skill: frob
version: 1.0.0
description: frobnicates
core_version: 1.0.0
adds:
  - src/cli/frob/frobnicate.c
  - src/cli/frob/channel_frob.c
-- .claude/skills/frob/SKILL.md --
# Frob
-- .claude/skills/frob/add/src/cli/frob/frobnicate.c --
COMMAND(frobnicate) = {
	.name = "frobnicate",
};
-- .claude/skills/frob/add/src/cli/frob/channel_frob.c --
COMMAND(channel_frob) = {
	.name = "channel frob",
};
-- VERSION --
1.0.0
-- below/ --
== run ==
$ nanoclaw frobnicate
? 2
2> error: 'frobnicate' is not a nanoclaw command
2> hint: the skill 'frob' adds it: 'nanoclaw skill apply frob --rebuild'
$ cd below && nanoclaw -C .. frobnicate
? 2
2> error: 'frobnicate' is not a nanoclaw command
2> hint: the skill 'frob' adds it: 'nanoclaw skill apply frob --rebuild'
$ nanoclaw channel frob x
? 2
2> error: 'channel frob' is not a nanoclaw command
2> hint: the skill 'frob' adds it: 'nanoclaw skill apply frob --rebuild'
$ nanoclaw help channel frob
? 2
2> error: 'channel frob' is not a nanoclaw command
2> hint: the skill 'frob' adds it: 'nanoclaw skill apply frob --rebuild'
$ nanoclaw -C below frobnicate
? 2
2> error: 'frobnicate' is not a nanoclaw command
2> hint: 'nanoclaw help --all' lists the commands
$ nanoclaw frob
? 2
2> error: 'frob' is not a nanoclaw command
2> hint: did you mean 'nanoclaw skill apply frob'?
$ nanoclaw -q skill apply frob >/dev/null && nanoclaw frobnicate
? 2
2> error: 'frobnicate' is not a nanoclaw command
2> hint: the skill 'frob' adds it, and is applied: 'nanoclaw rebuild' builds '.nanoclaw/builds/current/nanoclaw', which has it
