# intents are found for packages named by path and for files with a new name, or left out
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- old --
1
-
-
2
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/mover/manifest.yaml --
skill: mover
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: old, to: new}]
-- skills/early/manifest.yaml --
skill: early
version: 1.0.0
core_version: 1.0.0
modifies: [old]
-- skills/early/modify/old --
early
-
-
2
-- skills/early/modify/old.intent.md --
# Intent

## What changed

It is early.
-- skills/gone/manifest.yaml --
skill: gone
version: 1.0.0
core_version: 1.0.0
modifies: [old]
-- skills/gone/modify/old --
1
-
-
gone
-- elsewhere/mine/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [old]
-- elsewhere/mine/modify/old --
skill 1
-
-
2
-- elsewhere/mine/modify/old.intent.md --
# Intent

## What changed

One line, for a reason.

And more of it.

And more.

## Must-keep sections:
- `skill 1`
== run ==
$ nanoclaw -q skill apply early gone mover; rm -r skills/gone
> early 1.0.0 applied
> gone 1.0.0 applied
> mover 1.0.0 applied
$ ./walk nanoclaw skill apply elsewhere/mine
> x 1.0.0 paused
>   CONFLICT  new
>
> To resolve:
>   new: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> new: conflict 1 of 1, line 1
>   o yours (mover 1.0.0)
>   o | early
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       -
>       -
>       gone
>
>   the intent of x 1.0.0
>     changes     One line, for a reason.
>                 And more of it.
>                 ... ([i] shows all)
>     must keep   - `skill 1`
>
>   the intent of early 1.0.0 (part of yours)
>     changes     It is early.
>
> [o] yours (mover 1.0.0)  [t] x 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
>
> To resolve:
>   new: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ nanoclaw -q abort
== after ==
-- !old --
-- !skills/gone --
-- new --
early
-
-
gone
