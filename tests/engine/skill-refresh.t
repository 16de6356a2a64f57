# a package is brought to the present core: the core's changes come in, its own stay
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.1.0
-- src/server.sh --
echo start
echo one
echo two
echo three
echo stop
-- src/same.sh --
echo same
-- data/new/VERSION --
0.2.0
-- data/new/src/server.sh --
echo start carefully
echo one
echo two
echo three
echo stop
-- data/new/src/same.sh --
echo same
-- skills/greet/SKILL.md --
Greets.
-- skills/greet/manifest.yaml --
# The greeting.
skill: greet
version: "1.2.3"   # raised by hand
description: Greets at the end
core_version: 0.1.0
mood: cheerful
modifies:
  # the end of it
  - src/server.sh
-- skills/greet/modify/src/server.sh [755] --
echo start
echo one
echo two
echo three
echo hello
echo stop
-- skills/greet/modify/src/server.sh.intent.md --
## What changed
Greets.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
-- skills/quiet/SKILL.md --
Says nothing.
-- skills/quiet/manifest.yaml --
skill: quiet
version: 1.0.0
core_version: 0.1.0
adds: [src/quiet.sh]
-- skills/quiet/add/src/quiet.sh --
:
== run ==
$ nanoclaw init
> core 0.1.0 is saved in .nanoclaw/base; you can now apply skills
2> warning: left out of the core, as folders of data or built files: 'data'; a line '!data/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'
$ nanoclaw --yes update data/new
> Core updated: 0.1.0 → 0.2.0
>   ✓ All patches applied
$ nanoclaw skill refresh
? 2
2> error: no package given
2> hint: 'nanoclaw skill refresh --all' refreshes all of them
$ nanoclaw skill refresh greet --all
? 2
2> error: '--all' and package names cannot be used together
2> hint: 'nanoclaw skill refresh --all' refreshes all of them
$ nanoclaw skill refresh greet --raise more
? 2
2> error: '--raise' must be 'patch', 'minor' or 'major'
$ nanoclaw skill refresh --all --dry-run
> greet 1.2.3 would be refreshed for core 0.2.0
>   merged    src/server.sh
> quiet 1.0.0: nothing to do, it fits core 0.2.0
$! nanoclaw skill refresh --all --raise patch
> greet 1.2.4 (before: 1.2.3) refreshed for core 0.2.0
>   merged    src/server.sh
> quiet 1.0.0: nothing to do, it fits core 0.2.0
$ nanoclaw skill refresh --all
> greet 1.2.4: nothing to do, it fits core 0.2.0
> quiet 1.0.0: nothing to do, it fits core 0.2.0
$ nanoclaw --json skill refresh greet
> {
>   "backupPending": false,
>   "coreVersion": "0.2.0",
>   "files": [],
>   "folder": "skills/greet",
>   "fresh": true,
>   "mergeConflicts": [],
>   "nothingToDo": true,
>   "skill": "greet",
>   "smooth": true,
>   "success": true,
>   "version": "1.2.4",
>   "warnings": [],
>   "worst": "fits",
>   "writtenFor": "0.2.0"
> }
$ nanoclaw skill check skills/greet
> skills/greet/manifest.yaml:6:1: note: unknown key 'mood' is ignored
> 1 package checked: no faults
$ nanoclaw skill apply greet
> greet 1.2.4 applied
>   merged    src/server.sh
== after ==
-- VERSION --
0.2.0
-- skills/greet/manifest.yaml --
# The greeting.
skill: greet
version: "1.2.4"   # raised by hand
description: Greets at the end
core_version: 0.2.0
mood: cheerful
modifies:
  # the end of it
  - src/server.sh
base_hashes:
  src/server.sh: 0e95262c3a2fb1e0f74591840a0cf04c888964fcdd00dae1419c07015a98d997
-- skills/greet/modify/src/server.sh [755] --
echo start carefully
echo one
echo two
echo three
echo hello
echo stop
-- src/server.sh [755] --
echo start carefully
echo one
echo two
echo three
echo hello
echo stop
