# a group whose container.json is wrong is named, and keeps no other one from being composed
ignore: store .nanoclaw
unlisted: container/** data/** groups/main/** groups/main container data
-- container/CLAUDE.md --
the base
-- groups/family/container.json --
{"skills": [
"../x"]}
== run ==
$ nanoclaw compose --check
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw group add local:family Family --folder family -q
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw compose -q
? 2
> created container/skills
> created data/sessions/main/.claude/skills
> created data/sessions/main/.claude/skills/memory
> created data/sessions/main/.claude/skills/scheduling
> created data/sessions/main/.claude/skills/welcome
> created groups/main/.claude-shared.md
> created groups/main/.claude-fragments
> created groups/main/.claude-fragments/memory.md
> created groups/main/.claude-fragments/scheduling.md
> created groups/main/.claude-fragments/welcome.md
> created groups/main/CLAUDE.md
> created data/sessions/main/.claude/.claude.json: Claude Code needs an approval to read imports
2> error: groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit
$ nanoclaw compose --check family
? 2
2> error: groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit
$ nanoclaw compose --check nobody
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw --json compose family
? 2
> {
>   "error": "groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit",
>   "groups": [
>     {
>       "changes": [],
>       "error": "groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit",
>       "folder": "family",
>       "kind": "invalid",
>       "warnings": []
>     }
>   ],
>   "success": false
> }
2> error: groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit
$ nanoclaw group show family
> Family
> folder   groups/family
> jid      local:family
> trigger  @Andy
> added    2001-02-03 04:05:06
> settings groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit
>
> cannot compose its agent's instructions: groups/family/container.json:2:1: '../x' cannot be the name of a skill: up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit
== after ==
-- groups/family/CLAUDE.local.md [600] --
-- groups/family/logs/ [700] --
