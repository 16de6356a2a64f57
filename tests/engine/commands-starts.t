# a file that makes something run is shown and asked for like a command, also where the operation pauses
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- run --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [.mcp.json, bridges/x/run]
modifies: [a.txt]
file_ops: [{type: rename, from: run, to: .claude/hooks/run}]
-- skills/x/add/.mcp.json --
{}
-- skills/x/add/bridges/x/run --
x
-- skills/x/modify/a.txt --
one, x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [.CLAUDE/settings.json]
-- skills/y/add/.CLAUDE/settings.json --
{}
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [.claude/skills/q/SKILL.md, .yarnrc, .yarn/releases/yarn.cjs, skills/x/tests/more.sh]
-- skills/z/add/.claude/skills/q/SKILL.md --
q
-- skills/z/add/.yarnrc --
yarn-path "x"
-- skills/z/add/.yarn/releases/yarn.cjs --
x
-- skills/z/add/skills/x/tests/more.sh --
x
-- ask --
unset NANOCLAW_ALLOW_COMMANDS
exec nanoclaw "$@"
== run ==
$ nanoclaw -q init
$ sh ask skill apply x --dry-run
> x 1.0.0 would be applied
>   renamed   run -> .claude/hooks/run
>   added     .mcp.json
>   added     bridges/x/run
>   merged    a.txt
> x would change a file that tells other programs or agents what to do: .claude/hooks/run
>       + a
> x would change a file that tells other programs or agents what to do: .mcp.json
>       + {}
> x would change a file that tells other programs or agents what to do: bridges/x/run
>       + x
$ sh ask skill apply x
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     changes a file that tells other programs or agents what to do: .claude/hooks/run
2>       + a
2>     changes a file that tells other programs or agents what to do: .mcp.json
2>       + {}
2>     changes a file that tells other programs or agents what to do: bridges/x/run
2>       + x
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ sh ask skill apply y
? 2
2> error: these skills can run programs as you:
2>   y 1.0.0
2>     changes a file that tells other programs or agents what to do: .CLAUDE/settings.json
2>       + {}
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
# Files of another package, too, which its test may run.
$ sh ask skill apply z 2>&1 | grep 'what to do'
>     changes a file that tells other programs or agents what to do: .claude/skills/q/SKILL.md
>     changes a file that tells other programs or agents what to do: .yarnrc
>     changes a file that tells other programs or agents what to do: .yarn/releases/yarn.cjs
>     changes a file that tells other programs or agents what to do: skills/x/tests/more.sh
$ sed -i 's/one/one, mine/' a.txt; sh ask skill apply x --on-drift continue
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     changes a file that tells other programs or agents what to do: .claude/hooks/run
2>       + a
2>     changes a file that tells other programs or agents what to do: .mcp.json
2>       + {}
2>     changes a file that tells other programs or agents what to do: bridges/x/run
2>       + x
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ cat a.txt; ls -A; sh ask -q --yes skill apply x --on-drift continue
? 3
> one, mine
> .nanoclaw
> VERSION
> a.txt
> ask
> run
> skills
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo both > a.txt; sh ask -q continue
> x 1.0.0 applied
$ sh ask -q abort
? 2
2> error: no operation is paused
$ sh ask -q skill remove x --on-drift continue >/dev/null; sh ask -q abort; sh ask -q undo; ls -A
> .nanoclaw
> VERSION
> a.txt
> ask
> run
> skills
== after ==
-- a.txt --
one, mine
