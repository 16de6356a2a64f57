# a folder filled with foreign files is moved aside as a whole, and nothing is lost
ignore: store .nanoclaw
unlisted: container/** data/** groups/** container data groups
== run ==
$ nanoclaw group add local:family Family --folder family -q
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw compose family | tail -1
> created data/sessions/family/.claude/.claude.json: Claude Code needs an approval to read imports
$ (cd groups/family/.claude-fragments && seq 1100 | xargs touch)
$ (cd data/sessions/family/.claude/skills && seq 1100 | xargs mkdir)
$ nanoclaw compose --check family
? 1
> would move aside data/sessions/family/.claude/skills: there are too many files in it
> would create data/sessions/family/.claude/skills/memory
> would create data/sessions/family/.claude/skills/scheduling
> would create data/sessions/family/.claude/skills/welcome
> would move aside groups/family/.claude-fragments: there are too many files in it
> would create groups/family/.claude-fragments/memory.md
> would create groups/family/.claude-fragments/scheduling.md
> would create groups/family/.claude-fragments/welcome.md
$ nanoclaw compose family
> moved aside data/sessions/family/.claude/skills: there are too many files in it; it is in 'data/sessions/family/.claude/skills.kept-1' now
> created data/sessions/family/.claude/skills
> created data/sessions/family/.claude/skills/memory
> created data/sessions/family/.claude/skills/scheduling
> created data/sessions/family/.claude/skills/welcome
> moved aside groups/family/.claude-fragments: there are too many files in it; it is in 'groups/family/.claude-fragments.kept-1' now
> created groups/family/.claude-fragments
> created groups/family/.claude-fragments/memory.md
> created groups/family/.claude-fragments/scheduling.md
> created groups/family/.claude-fragments/welcome.md
$ nanoclaw compose family
> 1 group: nothing to change
$ ls groups/family/.claude-fragments data/sessions/family/.claude/skills
> data/sessions/family/.claude/skills:
> memory
> scheduling
> welcome
>
> groups/family/.claude-fragments:
> memory.md
> scheduling.md
> welcome.md
$ ls groups/family/.claude-fragments.kept-1 | wc -l
> 1103
$ ls data/sessions/family/.claude/skills.kept-1 | wc -l
> 1103
