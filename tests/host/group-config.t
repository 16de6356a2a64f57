# the settings of a group are changed one by one, and the rest of its file stays as it is
needs: sandbox
ignore: store data groups/main groups/family/logs groups/family/CLAUDE.local.md container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- groups/family/container.json --
{
	"x-mine": [1,   2],
	"skills": ["welcome"],

	"limits": { "seconds": 60 }
}
== run ==
$ nanoclaw group config family
? 2
2> error: there are no groups yet
2> hint: 'nanoclaw start' creates the main group
$ nanoclaw group add local:family Family --folder family --no-trigger
> registered, with the folder 'groups/family'
$ nanoclaw group config family
> {
>   "x-mine": [
>     1,
>     2
>   ],
>   "skills": [
>     "welcome"
>   ],
>   "limits": {
>     "seconds": 60
>   }
> }
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family limits.seconds 1800
> 'limits.seconds' of 'family' is set
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family agent claude
> 'agent' of 'family' is set
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family mcpServers.my.db '{"command": "db-mcp", "args": ["-r"]}'
> 'mcpServers.my.db' of 'family' is set
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family skills --unset
> 'skills' of 'family' is taken out
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family limits.seconds
> 1800
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group config family sandbox
? 1
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
2> error: 'sandbox' is not set
$ nanoclaw --json group config family limits
> {
>   "config": {
>     "agent": "claude",
>     "limits": {
>       "seconds": 1800
>     },
>     "mcpServers": {
>       "my.db": {
>         "args": [
>           "-r"
>         ],
>         "command": "db-mcp"
>       }
>     },
>     "x-mine": [
>       1,
>       2
>     ]
>   },
>   "folder": "family",
>   "success": true,
>   "warnings": [
>     "groups/family/container.json:2:2: 'x-mine' is not known, and has no effect"
>   ]
> }
2> warning: groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
$ nanoclaw group show family
> Family
> folder   groups/family
> jid      local:family
> trigger  none: every message is answered
> added    2001-02-03 04:05:06
> agent    claude
> server   my.db: db-mcp
> time     1800 s at most
> warning  groups/family/container.json:2:2: 'x-mine' is not known, and has no effect
>
> what its agent reads when it starts:
>
> --- .claude-shared.md: not there
> --- CLAUDE.local.md
# Errors are reported, and nothing changes.
$ nanoclaw group config family sandbox none
? 2
2> error: groups/family/container.json:16:13: 'sandbox' is unknown: choose 'bwrap', 'docker', 'landlock' or 'podman'
$ nanoclaw group config family budget.dailyDollars free
? 2
2> error: groups/family/container.json:17:19: 'budget.dailyDollars' must be dollars from 0.01 to 1000000, or "none"
$ nanoclaw group config family colour blue
? 2
2> error: a group has no setting 'colour'
2> hint: the settings are agent, budget.NAME, limits.NAME, mcpServers.NAME, model.NAME, mounts, network.hosts, sandbox and skills
$ nanoclaw group config family budget.dailyDolars 5
? 2
2> error: 'budget.dailyDolars' is not known, and has no effect: did you mean 'budget.dailyDollars'?
$ nanoclaw group config family budget '{"dailyTokns": 5}'
? 2
2> error: 'budget.dailyTokns' is not known, and has no effect: did you mean 'budget.dailyTokens'?
$ nanoclaw group config family dailyDollars 5
? 2
2> error: a group has no setting 'dailyDollars'
2> hint: did you mean 'budget.dailyDollars'?
$ nanoclaw group config family nonsense 5
? 2
2> error: a group has no setting 'nonsense'
2> hint: the settings are agent, budget.NAME, limits.NAME, mcpServers.NAME, model.NAME, mounts, network.hosts, sandbox and skills
$ nanoclaw group config family agent.x 1
? 2
2> error: a group has no setting 'agent.x'
2> hint: did you mean 'agent'?
$ nanoclaw group config family mounts '[{"path": "notes"}]'
? 2
2> error: groups/family/container.json:18:12: the path of a mount begins with '/' or with '~/'
$ nanoclaw group config family model gpt-4
? 2
2> error: groups/family/container.json:16:11: 'model' must be an object
2> hint: 'nanoclaw group config family model.name gpt-4'
$ nanoclaw group config nobody agent claude
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ nanoclaw group config family --unset
? 2
2> error: '--unset' takes a group and a setting, but no value
== after ==
-- groups/family/container.json --
{
	"x-mine": [1,   2],
	"limits": { "seconds": 1800 },

	"agent": "claude",

	"mcpServers": {
		"my.db": {
			"command": "db-mcp",
			"args": [
				"-r"
			]
		}
	}
}
