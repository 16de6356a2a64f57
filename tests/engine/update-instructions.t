# instructions of the core that have become a package
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/.claude/skills/same/SKILL.md --
# same
-- p/.claude/skills/other/SKILL.md --
# other
-- new/VERSION --
0.6.0
-- new/.claude/skills/same/SKILL.md --
# same
-- new/.claude/skills/same/manifest.yaml --
skill: same
version: 1.0.0
core_version: 0.6.0
adds: [same.txt]
-- new/.claude/skills/same/add/same.txt --
same
-- new/.claude/skills/other/SKILL.md --
# other, as a package
-- new/.claude/skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 0.6.0
adds: [other.txt]
-- new/.claude/skills/other/add/other.txt --
other
== run ==
$ nanoclaw -C p -q init
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ cat p/.claude/skills/same/SKILL.md p/.claude/skills/other/SKILL.md
> # same
> # other, as a package
$ nanoclaw -C p verify
> 2 files checked: all as recorded
$ nanoclaw -C p skill list
> skill  version  applied  description
> other  1.0.0    -
> same   1.0.0    -
$ nanoclaw -C p -q skill apply same
> same 1.0.0 applied
$ nanoclaw -C p -q replay --into ../again --no-test
$ rm -r again
$ nanoclaw -C p -q undo
$ nanoclaw -C p -q undo
$ cat p/.claude/skills/same/SKILL.md
> # same
