# all packages are compared with another core at once: a folder, a version, a package, git
needs: git
ignore: .git .git/**
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- b.txt --
eins
zwei
drei
-- data/core-2/VERSION --
2.0.0
-- data/core-2/a.txt --
one
2
three
-- data/core-2/sub/b.txt --
eins
zwei
drei
-- updates/1.0.0-to-1.1.0/files/VERSION --
1.1.0
-- updates/1.0.0-to-1.1.0/files/a.txt --
one
two
three
four
-- skills/first/SKILL.md --
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/first/modify/a.txt --
zero
one
two
three
-- skills/first/modify/a.txt.intent.md --
## What changed
x
## Key sections
x
## Invariants
x
## Must-keep
x
-- skills/second/SKILL.md --
-- skills/second/manifest.yaml --
skill: second
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
-- skills/second/modify/a.txt --
one
TWO
three
-- skills/second/modify/a.txt.intent.md --
## What changed
x
## Key sections
x
## Invariants
x
## Must-keep
x
-- skills/second/modify/b.txt --
eins
zwei
drei
vier
-- skills/second/modify/b.txt.intent.md --
## What changed
x
## Key sections
x
## Invariants
x
## Must-keep
x
-- skills/alone/SKILL.md --
-- skills/alone/manifest.yaml --
skill: alone
version: 1.0.0
core_version: 1.0.0
adds: [alone.txt]
-- skills/alone/add/alone.txt --
alone
-- skills/broken/manifest.yaml --
skill: broken
version: x
== run ==
$ nanoclaw skill check
? 2
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/broken/manifest.yaml:2:10: error: 'version': version 'x' is not of the form 1.2.3
> skills/broken/manifest.yaml: error: 'core_version' is missing
> skills/broken/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/broken/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 4 packages checked: 2 errors, 5 warnings
$ rm -r skills/broken
# Not initialized: the tree is the core that renames are found from.
$ nanoclaw skill check --against data/core-2
? 2
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 0 errors, 3 warnings
> against core 2.0.0:
>   alone 1.0.0   fits
>   first 1.0.0   merges    a.txt
>   second 1.0.0  CONFLICT  a.txt
>                 renamed   b.txt -> sub/b.txt
> 1 fits, 1 can be refreshed, 1 needs a person
> To refresh them: nanoclaw skill refresh first second --against data/core-2
$ nanoclaw skill check skills/first skills/alone --against data/core-2
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 2 packages checked: 0 errors, 2 warnings
> against core 2.0.0:
>   first 1.0.0  merges    a.txt
>   alone 1.0.0  fits
> 1 fits, 1 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh first --against data/core-2
$ nanoclaw skill check --against .
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 0 errors, 3 warnings
> against core 1.0.0:
>   alone 1.0.0   fits
>   first 1.0.0   fits
>   second 1.0.0  fits
> 3 fit, 0 can be refreshed, 0 need a person
$ nanoclaw skill check --against updates/1.0.0-to-1.1.0
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 0 errors, 3 warnings
> against core 1.1.0:
>   alone 1.0.0   fits
>   first 1.0.0   merges    a.txt
>   second 1.0.0  merges    a.txt
> 1 fits, 2 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh first second --against updates/1.0.0-to-1.1.0
# A package that is in no project can be looked at, too.
$ cp -r skills/first ../first
$ nanoclaw skill check ../first --against data/core-2
> ../first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> ../first/manifest.yaml:1:8: warning: 'skills/first' has the same name
> 1 package checked: 0 errors, 2 warnings
> against core 2.0.0:
>   first 1.0.0  merges    a.txt
> 0 fit, 1 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh first --against data/core-2
$ rm -r ../first
$ git init -q && git add -A && git commit -qm one && git tag v1.0.0
$ nanoclaw -q init
$ nanoclaw -q --yes update updates
> Core updated: 1.0.0 → 1.1.0
$ nanoclaw skill check --against 1.0.0
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 0 errors, 3 warnings
> against core 1.0.0:
>   alone 1.0.0   fits
>   first 1.0.0   fits
>   second 1.0.0  fits
> 3 fit, 0 can be refreshed, 0 need a person
$ nanoclaw skill check --against v1.0.0
> skills/alone/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/first/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/second/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 0 errors, 3 warnings
> against core 1.0.0:
>   alone 1.0.0   fits
>   first 1.0.0   fits
>   second 1.0.0  fits
> 3 fit, 0 can be refreshed, 0 need a person
$ nanoclaw --json skill check nowhere --against .
? 2
> {
>   "error": "cannot open package 'nowhere': no such file or directory",
>   "faults": [
>     {
>       "severity": "error",
>       "text": "cannot open package 'nowhere': no such file or directory",
>       "where": ""
>     }
>   ],
>   "folder": "nowhere",
>   "skill": null,
>   "success": false
> }
$ nanoclaw --json skill check skills/first --against .
> {
>   "against": {
>     "files": [
>       {
>         "path": "a.txt",
>         "state": "merges"
>       }
>     ],
>     "folder": "skills/first",
>     "fresh": false,
>     "nothingToDo": false,
>     "skill": "first",
>     "smooth": true,
>     "version": "1.0.0",
>     "worst": "merges",
>     "writtenFor": "1.0.0"
>   },
>   "coreVersion": "1.1.0",
>   "faults": [
>     {
>       "severity": "warning",
>       "text": "'description' is missing: 'skill list' shows it to people who choose",
>       "where": "manifest.yaml"
>     }
>   ],
>   "folder": "skills/first",
>   "skill": "first",
>   "success": true
> }
$ nanoclaw skill check --against 0.9.0
? 2
2> error: '0.9.0' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
== after ==
-- VERSION --
1.1.0
-- a.txt --
one
two
three
four
-- !skills/broken --
