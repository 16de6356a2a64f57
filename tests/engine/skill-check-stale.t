# a file that was written for an older core, or for another file, is stale
-- .nanoclaw/state.yaml --
skills_system_version: "0.1.0"
core_version: 0.2.0
applied_skills: []
-- .nanoclaw/base/src/hello.sh --
echo hello
echo one
echo two
echo three
echo four
echo five
echo six
-- src/hello.sh --
echo edited by the user
-- skills/old/SKILL.md --
-- skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 0.1.0
modifies: [src/hello.sh]
-- skills/old/modify/src/hello.sh --
echo hello
echo skill
-- skills/old/modify/src/hello.sh.intent.md --
## What changed
Greets in two languages.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
-- skills/hashed/SKILL.md --
-- skills/hashed/manifest.yaml --
skill: hashed
version: 1.0.0
core_version: 0.2.0
modifies: [src/hello.sh]
base_hashes:
  src/hello.sh: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
-- skills/hashed/modify/src/hello.sh --
echo hello
echo one
echo two
echo three
echo four
echo five
echo six
echo skill
-- skills/hashed/modify/src/hello.sh.intent.md --
## What changed
Greets in two languages.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
-- core/VERSION --
0.1.0
-- core/src/hello.sh --
echo hello
== run ==
$ nanoclaw skill check skills/old
> skills/old/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/old/manifest.yaml:4:12: warning: 'src/hello.sh' is stale: written for core 0.1.0, and this core is 0.2.0; it lacks these lines of the core: 'echo one', 'echo two', 'echo three', 'echo four', 'echo five' and 1 more
> 1 package checked: 0 errors, 2 warnings
$ nanoclaw skill check skills/hashed
> skills/hashed/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/hashed/manifest.yaml:4:12: warning: 'src/hello.sh' is stale: the core's file does not match 'base_hashes'
> 1 package checked: 0 errors, 2 warnings
# The project is found from below.
$ cd src && nanoclaw -q skill check ../skills/old ../skills/hashed
# Nothing is stale against the core that it was written for.
$ nanoclaw skill check skills/old --against core
> skills/old/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 1 package checked: 0 errors, 1 warning
> against core 0.1.0:
>   old 1.0.0  fits
> 1 fits, 0 can be refreshed, 0 need a person
$ nanoclaw skill check skills/old --against nowhere
? 2
2> error: 'nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
