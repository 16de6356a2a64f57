# the older layout is left behind, nothing is lost, and a second time there is nothing to do
ignore: store .nanoclaw
unlisted: container/** data/** groups/main/** groups/main container data
recover: nanoclaw compose
leftover: **/.nanoclaw-tmp-* container/.nanoclaw-new-skills
-- groups/global/CLAUDE.md --
# Andy

## What You Can Do

- Answer questions and have conversations

## Our house

We are the Smiths.
-- groups/global/plan.md --
a plan
-- groups/main/CLAUDE.md --
I am main.
-- groups/main/.claude-global.md -> /workspace/global/CLAUDE.md --
-- groups/family/CLAUDE.md --
we like tea
-- groups/family/CLAUDE.local.md --
and cake
-- groups/family/notes.md --
a note
-- data/sessions/family/.claude/projects/-workspace-group/memory/MEMORY.md --
Ann is seven.
== run ==
$ nanoclaw group add local:family Family --folder family -q
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw compose --check
? 1
> would create container/CLAUDE.md
> would create container/skills
> would change container/CLAUDE.md: 'groups/global/CLAUDE.md' held what all groups read
> would remove groups/global/CLAUDE.md: it belongs to an older layout
> would change groups/main/CLAUDE.local.md: what 'CLAUDE.md' holds is memory
> would remove groups/main/.claude-global.md: it belongs to an older layout
> would create data/sessions/main/.claude/skills
> would create groups/main/.claude-shared.md
> would create groups/main/.claude-fragments
> would create groups/main/CLAUDE.md
> would create data/sessions/main/.claude/.claude.json: Claude Code needs an approval to read imports
> would change groups/family/CLAUDE.local.md: what 'CLAUDE.md' holds is memory
> would create data/sessions/family/.claude/skills
> would create groups/family/.claude-shared.md
> would create groups/family/.claude-fragments
> would create groups/family/CLAUDE.md
> would create data/sessions/family/.claude/.claude.json: Claude Code needs an approval to read imports
$! nanoclaw compose -q
> created container/CLAUDE.md
> created container/skills
> changed container/CLAUDE.md: 'groups/global/CLAUDE.md' held what all groups read
> removed groups/global/CLAUDE.md: it belongs to an older layout
> moved aside groups/global: it belongs to an older layout; it is in 'groups/global.kept-1' now
> changed groups/main/CLAUDE.local.md: what 'CLAUDE.md' holds is memory
> removed groups/main/.claude-global.md: it belongs to an older layout
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
> changed groups/family/CLAUDE.local.md: what 'CLAUDE.md' holds is memory
> created data/sessions/family/.claude/skills
> created data/sessions/family/.claude/skills/memory
> created data/sessions/family/.claude/skills/scheduling
> created data/sessions/family/.claude/skills/welcome
> created groups/family/.claude-shared.md
> created groups/family/.claude-fragments
> created groups/family/.claude-fragments/memory.md
> created groups/family/.claude-fragments/scheduling.md
> created groups/family/.claude-fragments/welcome.md
> created groups/family/CLAUDE.md
> created data/sessions/family/.claude/.claude.json: Claude Code needs an approval to read imports
$ tail -n 3 container/CLAUDE.md
> ## Our house
>
> We are the Smiths.
$ nanoclaw compose
> 2 groups: nothing to change
== after ==
-- groups/family/.claude-fragments/ [700] --
-- groups/family/.claude-fragments/memory.md -> /app/skills/memory/instructions.md --
-- groups/family/.claude-fragments/scheduling.md -> /app/skills/scheduling/instructions.md --
-- groups/family/.claude-fragments/welcome.md -> /app/skills/welcome/instructions.md --
-- groups/family/.claude-shared.md -> /app/CLAUDE.md --
-- groups/family/CLAUDE.local.md --
and cake

we like tea
-- groups/family/CLAUDE.md [600] --
<!-- Composed at spawn — do not edit. Edit CLAUDE.local.md for per-group content. -->
@./.claude-shared.md
@./.claude-fragments/memory.md
@./.claude-fragments/scheduling.md
@./.claude-fragments/welcome.md
-- groups/family/container.json [600] --
{}
-- groups/family/logs/ [700] --
-- !groups/global --
-- groups/global.kept-1/plan.md --
a plan
