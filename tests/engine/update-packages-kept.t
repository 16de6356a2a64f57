# packages that the person may have edited are not lost when newer ones come
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/own/manifest.yaml --
skill: my-own
version: 1.0.0
core_version: 0.5.0
adds: [mine.txt]
-- p/skills/own/add/mine.txt --
mine
-- p/skills/idle/manifest.yaml --
skill: idle
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/idle/SKILL.md --
# idle
my words
-- p/skills/idle/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 idle, and mine
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/used/manifest.yaml --
skill: used
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/used/SKILL.md --
# used
-- p/skills/used/modify/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9 used
a 10
a 11
a 12
-- new/VERSION --
0.6.0
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/skills/own/manifest.yaml --
skill: own
version: 2.0.0
core_version: 0.6.0
adds: [own.txt]
-- new/skills/own/add/own.txt --
own
-- new/skills/idle/manifest.yaml --
skill: idle
version: 1.1.0
core_version: 0.6.0
modifies: [a.txt]
-- new/skills/idle/SKILL.md --
# idle
-- new/skills/idle/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 idle
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/skills/used/manifest.yaml --
skill: used
version: 1.1.0
core_version: 0.6.0
modifies: [a.txt]
-- new/skills/used/SKILL.md --
# used, the newer one
-- new/skills/used/modify/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9 used
a 10
a 11
a 12
-- new/.claude/skills/guide/manifest.yaml --
skill: guide
version: 1.0.0
core_version: 0.6.0
adds: [guide.txt]
-- new/.claude/skills/guide/SKILL.md --
# guide
-- new/.claude/skills/guide/add/guide.txt --
guide
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply used
> used 1.0.0 applied
$ mkdir -p p/.claude/skills/guide
$ echo "# my guide" > p/.claude/skills/guide/SKILL.md
$ echo "my words" >> p/skills/used/SKILL.md
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ used 1.0.0 → 1.1.0
2> warning: the new core has a package '.claude/skills/guide', where you had files; they are in '.nanoclaw/kept/.claude/skills/guide'
2> warning: the package 'skills/own' is the skill 'my-own' here, and 'own' in the new core: it stays as it is; if you want the new core's, give the folder another name and update again
# A different skill in a folder of that name is the person's own.
$ cat p/skills/own/manifest.yaml
> skill: my-own
> version: 1.0.0
> core_version: 0.5.0
> adds: [mine.txt]
$ ls p/skills/own/add
> mine.txt
$ nanoclaw -C p skill list
> skill   version  applied  description
> guide   1.0.0    -
> idle    1.1.0    -
> my-own  1.0.0    -
> used    1.1.0    1.1.0
# Replaced files that may have been edited are kept; files as applied are not.
$ cd p/.nanoclaw/kept && find . -type f | sort
> ./.claude/skills/guide/SKILL.md
> ./idle-1.0.0/SKILL.md
> ./idle-1.0.0/manifest.yaml
> ./idle-1.0.0/modify/a.txt
> ./used-1.0.0/SKILL.md
$ cat p/.nanoclaw/kept/idle-1.0.0/SKILL.md p/.nanoclaw/kept/used-1.0.0/SKILL.md p/.nanoclaw/kept/.claude/skills/guide/SKILL.md
> # idle
> my words
> # used
> my words
> # my guide
$ nanoclaw -C p -q undo
$ find p/.nanoclaw/kept -type f
? 1
2> find: ‘p/.nanoclaw/kept’: No such file or directory
$ cat p/skills/idle/SKILL.md p/skills/used/SKILL.md p/.claude/skills/guide/SKILL.md
> # idle
> my words
> # used
> my words
> # my guide
# A copy that is kept from before is not written over.
$ mkdir -p p/.nanoclaw/kept/idle-1.0.0
$ echo older > p/.nanoclaw/kept/idle-1.0.0/SKILL.md
$ nanoclaw -C p -q --yes update ../new
> Core updated: 0.5.0 → 0.6.0
$ cat p/.nanoclaw/kept/idle-1.0.0/SKILL.md p/.nanoclaw/kept/idle-1.0.0/SKILL.md.2
> older
> # idle
> my words
