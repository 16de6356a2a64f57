# packages are checked with each other: dependencies, cycles, conflicts, added files
-- VERSION --
1.0.0
-- skills/base/manifest.yaml --
{skill: base, version: 1.0.0, core_version: 1.0.0, adds: [lib/base.sh]}
-- skills/base/SKILL.md --
-- skills/base/add/lib/base.sh --
base
-- skills/middle/manifest.yaml --
{skill: middle, version: 1.0.0, core_version: 1.0.0, depends: [base]}
-- skills/middle/SKILL.md --
-- skills/top/manifest.yaml --
skill: top
version: 1.0.0
core_version: 1.0.0
depends: [middle]
modifies: [lib/base.sh]
-- skills/top/SKILL.md --
-- skills/top/modify/lib/base.sh --
base
top
-- skills/top/modify/lib/base.sh.intent.md --
## What changed
Greets in two languages.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
-- skills/forgot/manifest.yaml --
skill: forgot
version: 1.0.0
core_version: 1.1.0
adds: [lib/base.sh.more]
modifies: [lib/base.sh]
-- skills/forgot/SKILL.md --
-- skills/forgot/add/lib/base.sh.more --
-- skills/forgot/modify/lib/base.sh --
base
-- skills/forgot/modify/lib/base.sh.intent.md --
## What changed
Greets in two languages.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
-- skills/same/manifest.yaml --
{skill: same, version: 1.0.0, core_version: 1.0.0, adds: [lib/base.sh]}
-- skills/same/SKILL.md --
-- skills/same/add/lib/base.sh --
-- skills/instead/manifest.yaml --
{skill: instead, version: 1.0.0, core_version: 1.0.0, adds: [lib/base.sh],
 conflicts: [base, same]}
-- skills/instead/SKILL.md --
-- skills/instead/add/lib/base.sh --
-- skills/a/manifest.yaml --
{skill: a, version: 1.0.0, core_version: 1.0.0, depends: [b]}
-- skills/a/SKILL.md --
-- skills/b/manifest.yaml --
{skill: b, version: 1.0.0, core_version: 1.0.0, depends: [c]}
-- skills/b/SKILL.md --
-- skills/c/manifest.yaml --
{skill: c, version: 1.0.0, core_version: 1.0.0, depends: [a]}
-- skills/c/SKILL.md --
== run ==
# Files that a dependency of a dependency adds count as existing.
$ nanoclaw skill check skills/top
> skills/top/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 1 package checked: 0 errors, 1 warning
$ nanoclaw skill check skills/forgot
? 2
> skills/forgot/manifest.yaml:5:12: error: 'lib/base.sh' is not in the core; the skill 'base' adds it and is not in 'depends'
> skills/forgot/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/forgot/manifest.yaml:3:15: warning: the skill is written for core 1.1.0, and this core is older: 1.0.0
> 1 package checked: 1 error, 2 warnings
$ nanoclaw skill check skills/same
? 2
> skills/same/manifest.yaml:1:59: error: 'lib/base.sh' is added by the skill 'base' too, and the two do not list each other in 'conflicts'
> skills/same/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/same/manifest.yaml: warning: the conflict with 'instead' is one-sided: only 'skills/instead' lists it
> 1 package checked: 1 error, 2 warnings
# Skills that exclude each other may add the same file.
$ nanoclaw skill check skills/instead
> skills/instead/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/instead/manifest.yaml:2:14: warning: the conflict with 'base' is one-sided: 'skills/base' does not list it
> skills/instead/manifest.yaml:2:20: warning: the conflict with 'same' is one-sided: 'skills/same' does not list it
> 1 package checked: 0 errors, 3 warnings
$ nanoclaw skill check skills/a skills/b skills/c
? 2
> skills/a/manifest.yaml:1:59: error: the skill depends on itself through others: a -> b -> c -> a
> skills/a/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/b/manifest.yaml:1:59: error: the skill depends on itself through others: b -> c -> a -> b
> skills/b/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/c/manifest.yaml:1:59: error: the skill depends on itself through others: c -> a -> b -> c
> skills/c/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 3 packages checked: 3 errors, 3 warnings
