# doctor reports which Claude Code is installed, and how to install it
needs: sandbox
ignore: store data groups
-- bin/claude [755] --
#!/bin/sh
echo '9.8.7 (Claude Code)'
-- old/claude [755] --
#!/bin/sh
exit 1
-- npm/lib/node_modules/@anthropic-ai/claude-code-linux-x64/claude [755] --
#!/bin/sh
echo 6.5.4
-- npm/bin/ --
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev --no-trigger
> registered, with the folder 'groups/dev'
$ PATH=$PWD/bin:$PATH nanoclaw doctor | grep claude
? 1
$ nanoclaw group config dev agent claude
> 'agent' of 'dev' is set
$ PATH=$PWD/bin:$PATH nanoclaw doctor | grep claude
> ok       claude       Claude Code is installed: 9.8.7 (Claude Code) (tested with 2.1.325)
$ PATH=$PWD/old:$PATH nanoclaw doctor | grep -A1 claude
> problem  claude       Claude Code is installed, but does not run
>                       try: npm install -g @anthropic-ai/claude-code-linux-[..]@2.1.325
> problem  key          there is no API key, and a group uses Claude Code as its agent
$ PATH=$PWD/npm/bin:$PATH nanoclaw doctor | grep claude
> ok       claude       Claude Code is installed: 6.5.4 (tested with 2.1.325)
$ NANOCLAW_CLAUDE=./missing/claude nanoclaw doctor | grep -A1 claude
> problem  claude       Claude Code is not installed, and a group uses it as its agent
>                       try: npm install -g @anthropic-ai/claude-code-linux-[..]@2.1.325
> problem  key          there is no API key, and a group uses Claude Code as its agent
# Whether there is a key, and not which.
$ nanoclaw doctor | grep -A1 ' key '
> problem  key          there is no API key, and a group uses Claude Code as its agent
>                       try: echo 'ANTHROPIC_API_KEY=...' >>.env
$ ANTHROPIC_API_KEY=sk-1 nanoclaw doctor | grep ' key '
> ok       key          there is an API key: ANTHROPIC_API_KEY
$ ANTHROPIC_BASE_URL=http://127.0.0.1:8080 nanoclaw doctor | grep ' key '
? 1
# A file with a fault keeps its group from being answered.
$ echo '{"agent": ' >groups/dev/container.json; nanoclaw doctor | grep ' agents  '
> problem  agents       the agent of group 'dev' does not start: groups/dev/container.json:2:1: unexpected token near end of file
