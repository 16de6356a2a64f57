# a refresh that conflicts pauses; what is resolved is learned for everybody who updates
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.1.0
-- app.txt --
one
two
three
four
five
-- data/new/VERSION --
0.2.0
-- data/new/app.txt --
one
two
THREE OF THE CORE
four
FIVE
-- skills/loud/SKILL.md --
Shouts.
-- skills/loud/manifest.yaml --
skill: loud
version: 1.0.0
core_version: 0.1.0
modifies:
  - app.txt
-- skills/loud/modify/app.txt --
one
two
THREE!
four
five
-- skills/loud/modify/app.txt.intent.md --
## What changed
Shouts.
## Key sections
- three
## Invariants
- none
## Must-keep
- none
-- skills/calm/SKILL.md --
Is calm.
-- skills/calm/manifest.yaml --
skill: calm
version: 1.0.0
core_version: 0.1.0
modifies:
  - app.txt
-- skills/calm/modify/app.txt --
zero
one
two
three
four
five
-- skills/calm/modify/app.txt.intent.md --
## What changed
Counts from zero.
## Key sections
- zero
## Invariants
- none
## Must-keep
- none
-- data/answer --
one
two
THREE OF THE CORE!
four
FIVE
== run ==
$ nanoclaw -q init
$ nanoclaw --yes -q update data/new
> Core updated: 0.1.0 → 0.2.0
# Both packages are one operation: neither is done before both are.
$! nanoclaw skill refresh loud calm --raise patch
? 3
> loud 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
>   CONFLICT  app.txt
> calm 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
>   merged    app.txt
>
> To resolve:
>   skills/loud/modify/app.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status
> core 0.2.0
>
> 'skill refresh' is paused; to resolve:
>   skills/loud/modify/app.txt  (core)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw skill refresh calm
? 4
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ cat skills/loud/modify/app.txt
> one
> two
> <<<<<<< yours
> THREE!
> ||||||| core 0.1.0
> three
> =======
> THREE OF THE CORE
> >>>>>>> core 0.2.0
> four
> FIVE
$ nanoclaw continue
? 3
> loud 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
>   CONFLICT  app.txt
> calm 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
>   merged    app.txt
>
> To resolve:
>   skills/loud/modify/app.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'skills/loud/modify/app.txt' still has conflict markers
$! nanoclaw abort
> everything is as it was before 'skill refresh'
$ cat skills/calm/manifest.yaml skills/loud/modify/app.txt
> skill: calm
> version: 1.0.0
> core_version: 0.1.0
> modifies:
>   - app.txt
> one
> two
> THREE!
> four
> five
$ nanoclaw -q skill refresh loud calm --raise patch
? 3
> loud 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
> calm 1.0.1 (before: 1.0.0) paused on the way to core 0.2.0
>
> To resolve:
>   skills/loud/modify/app.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cp data/answer skills/loud/modify/app.txt
$! nanoclaw continue
> loud 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   settled   app.txt
> calm 1.0.1 (before: 1.0.0) refreshed for core 0.2.0
>   merged    app.txt
# A person with this version of the skill gets the same conflict in an update.
$ nanoclaw resolution record
> recorded in .nanoclaw/resolutions/loud@1.0.0+core@0.2.0
$ grep -A2 '^skills:' '.nanoclaw/resolutions/loud@1.0.0+core@0.2.0/meta.yaml'
> skills:
>   - loud@1.0.0
>   - core@0.2.0
== after ==
-- VERSION --
0.2.0
-- app.txt --
one
two
THREE OF THE CORE
four
FIVE
-- skills/calm/manifest.yaml --
skill: calm
version: 1.0.1
core_version: 0.2.0
modifies:
  - app.txt
base_hashes:
  app.txt: 8aceb68beaad160bd13d14857dcc17c18f3f3dfd4d7701634457568b6768a4e6
-- skills/calm/modify/app.txt --
zero
one
two
THREE OF THE CORE
four
FIVE
-- skills/loud/manifest.yaml --
skill: loud
version: 1.0.1
core_version: 0.2.0
modifies:
  - app.txt
base_hashes:
  app.txt: 8aceb68beaad160bd13d14857dcc17c18f3f3dfd4d7701634457568b6768a4e6
-- skills/loud/modify/app.txt --
one
two
THREE OF THE CORE!
four
FIVE
