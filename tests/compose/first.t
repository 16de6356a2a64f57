# a new group is composed for the first time
ignore: store .nanoclaw
unlisted: container/** data/** groups/main/** groups/main container data
recover: nanoclaw compose
leftover: **/.nanoclaw-tmp-*
-- container/CLAUDE.md --
the base
-- container/skills/a/instructions.md --
of a
-- container/skills/b/SKILL.md --
of b
-- data/global.md --
we are the Smiths
-- groups/family/container.json --
{"mcpServers": {"db": {"command": "db-mcp", "instructions": "read only"}}}
== run ==
$ nanoclaw group add local:family Family --folder family -q
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw compose --check family
? 1
> would create data/sessions/family/.claude/skills
> would create data/sessions/family/.claude/skills/a
> would create data/sessions/family/.claude/skills/b
> would create groups/family/.claude-shared.md
> would create groups/family/.claude-fragments
> would create groups/family/.claude-fragments/a.md
> would create groups/family/.claude-fragments/mcp-db.md
> would create groups/family/.claude-global-memory.md
> would create groups/family/CLAUDE.md
> would create data/sessions/family/.claude/.claude.json: Claude Code needs an approval to read imports
$! nanoclaw compose -q
> created data/sessions/main/.claude/skills
> created data/sessions/main/.claude/skills/a
> created data/sessions/main/.claude/skills/b
> created groups/main/.claude-shared.md
> created groups/main/.claude-fragments
> created groups/main/.claude-fragments/a.md
> created groups/main/.claude-global-memory.md
> created groups/main/CLAUDE.md
> created data/sessions/main/.claude/.claude.json: Claude Code needs an approval to read imports
> created data/sessions/family/.claude/skills
> created data/sessions/family/.claude/skills/a
> created data/sessions/family/.claude/skills/b
> created groups/family/.claude-shared.md
> created groups/family/.claude-fragments
> created groups/family/.claude-fragments/a.md
> created groups/family/.claude-fragments/mcp-db.md
> created groups/family/.claude-global-memory.md
> created groups/family/CLAUDE.md
> created data/sessions/family/.claude/.claude.json: Claude Code needs an approval to read imports
$ nanoclaw compose --check
> 2 groups: nothing to change
== after ==
-- groups/family/.claude-fragments/ [700] --
-- groups/family/.claude-fragments/a.md -> /app/skills/a/instructions.md --
-- groups/family/.claude-fragments/mcp-db.md [600] --
read only
-- groups/family/.claude-global-memory.md [600] --
we are the Smiths
-- groups/family/.claude-shared.md -> /app/CLAUDE.md --
-- groups/family/CLAUDE.local.md [600] --
-- groups/family/CLAUDE.md [600] --
<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. -->
@./.claude-shared.md
@./.claude-global-memory.md
@./.claude-fragments/a.md
@./.claude-fragments/mcp-db.md
-- groups/family/logs/ [700] --
