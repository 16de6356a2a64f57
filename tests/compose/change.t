# skills, servers and the global memory come and go, and a planted link does
ignore: store .nanoclaw
unlisted: container/** data/** groups/main/** groups/main container data
recover: nanoclaw compose
leftover: **/.nanoclaw-tmp-*
-- container/CLAUDE.md --
the base
-- container/skills/a/instructions.md --
of a
-- container/skills/b/instructions.md --
of b
-- data/global.md --
we are the Smiths
-- secret --
not yours
-- groups/family/container.json --
{"mcpServers": {"db": {"command": "db-mcp", "instructions": "read only"}}}
== run ==
$ nanoclaw group add local:family Family --folder family -q
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw compose -q > /dev/null
$ rm data/global.md
$ echo '{"skills": ["b"], "mcpServers": {"web": {"command": "w", "instructions": "slow"}}}' > groups/family/container.json
$ rm groups/family/.claude-shared.md && ln -s ../../secret groups/family/.claude-shared.md
$ echo 'remember the milk' >> groups/family/CLAUDE.md
$ nanoclaw compose --check
? 1
> would change groups/main/CLAUDE.md: its content differs
> would remove groups/main/.claude-global-memory.md: the global memory is empty
> would change groups/family/.claude-shared.md: it leads elsewhere
> would create groups/family/.claude-fragments/mcp-web.md
> would move aside groups/family/CLAUDE.md: somebody edited it
> would change groups/family/CLAUDE.md: its content differs
> would remove groups/family/.claude-global-memory.md: the global memory is empty
> would remove groups/family/.claude-fragments/a.md: no enabled skill or server has it
> would remove groups/family/.claude-fragments/mcp-db.md: no enabled skill or server has it
> would remove data/sessions/family/.claude/skills/a: the skill is not enabled
$! nanoclaw compose
> changed groups/main/CLAUDE.md: its content differs
> removed groups/main/.claude-global-memory.md: the global memory is empty
> changed groups/family/.claude-shared.md: it leads elsewhere
> created groups/family/.claude-fragments/mcp-web.md
> moved aside groups/family/CLAUDE.md: somebody edited it; it is in 'groups/family/CLAUDE.md.kept-1' now
> changed groups/family/CLAUDE.md: its content differs
> removed groups/family/.claude-global-memory.md: the global memory is empty
> removed groups/family/.claude-fragments/a.md: no enabled skill or server has it
> removed groups/family/.claude-fragments/mcp-db.md: no enabled skill or server has it
> removed data/sessions/family/.claude/skills/a: the skill is not enabled
$ nanoclaw compose
> 2 groups: nothing to change
== after ==
-- groups/family/.claude-fragments/ [700] --
-- groups/family/.claude-fragments/b.md -> /app/skills/b/instructions.md --
-- groups/family/.claude-fragments/mcp-web.md [600] --
slow
-- groups/family/.claude-shared.md -> /app/CLAUDE.md --
-- groups/family/CLAUDE.local.md [600] --
-- groups/family/CLAUDE.md [600] --
<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. -->
@./.claude-shared.md
@./.claude-fragments/b.md
@./.claude-fragments/mcp-web.md
-- groups/family/CLAUDE.md.kept-1 [600] --
<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. -->
@./.claude-shared.md
@./.claude-global-memory.md
@./.claude-fragments/a.md
@./.claude-fragments/b.md
@./.claude-fragments/mcp-db.md
remember the milk
-- groups/family/container.json --
{"skills": ["b"], "mcpServers": {"web": {"command": "w", "instructions": "slow"}}}
-- groups/family/logs/ [700] --
