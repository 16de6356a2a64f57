# files that the core renames, deletes or adds are renamed, asked about or merged in the package
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.1.0
-- src/old.txt --
a
b
c
d
e
f
-- src/gone.txt --
this file will go
in the next version
of the core
-- src/drop.txt --
nobody needs this file
-- src/name.txt --
before it is renamed
by the skill
-- updates/0.1.0-to-0.2.0/file_ops.yaml --
file_ops:
  - type: rename
    from: src/old.txt
    to: lib/new.txt
  - type: rename
    from: src/name.txt
    to: lib/name.txt
  - type: delete
    path: src/gone.txt
  - type: delete
    path: src/drop.txt
-- updates/0.1.0-to-0.2.0/files/VERSION --
0.2.0
-- updates/0.1.0-to-0.2.0/files/lib/new.txt --
a
b
c
d
e
F
-- updates/0.1.0-to-0.2.0/files/src/mine.txt --
the same file
-- updates/0.1.0-to-0.2.0/files/src/ours.txt --
the core's version
-- skills/x/SKILL.md --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 0.1.0
adds: [src/mine.txt, src/ours.txt, src/other.txt]
modifies:
  - src/old.txt # renamed by the core
  - src/gone.txt
  - src/renamed.txt
file_ops:
  # our own
  - type: rename
    from: src/name.txt
    to: src/renamed.txt
  - type: delete
    path: src/drop.txt
-- skills/x/add/src/mine.txt --
the same file
-- skills/x/add/src/ours.txt --
the skill's version
-- skills/x/add/src/other.txt --
other
-- skills/x/modify/src/old.txt --
A
b
c
d
e
f
-- skills/x/modify/src/old.txt.intent.md --
## What changed
The first line.
-- skills/x/modify/src/gone.txt --
this file will go
and the skill wants it
in the next version
of the core
-- skills/x/modify/src/gone.txt.intent.md --
## What changed
Wants it.
-- skills/x/modify/src/renamed.txt --
before it is renamed
and changed
by the skill
-- skills/x/modify/src/renamed.txt.intent.md --
## What changed
Changes it.
== run ==
$ nanoclaw -q init
$ nanoclaw --yes -q update updates
> Core updated: 0.1.0 → 0.2.0
$ nanoclaw skill check --against updates
? 2
> skills/x/modify/src/old.txt.intent.md: warning: the heading 'Key sections' is missing
> skills/x/modify/src/old.txt.intent.md: warning: the heading 'Invariants' is missing
> skills/x/modify/src/old.txt.intent.md: warning: the heading 'Must-keep' is missing
> skills/x/modify/src/gone.txt.intent.md: warning: the heading 'Key sections' is missing
> skills/x/modify/src/gone.txt.intent.md: warning: the heading 'Invariants' is missing
> skills/x/modify/src/gone.txt.intent.md: warning: the heading 'Must-keep' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Key sections' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Invariants' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Must-keep' is missing
> skills/x/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 1 package checked: 0 errors, 10 warnings
> against core 0.2.0:
>   x 1.0.0  dropped   src/mine.txt
>            CONFLICT  src/ours.txt
>            merges    src/old.txt -> lib/new.txt
>            GONE      src/gone.txt
>            renamed   src/name.txt -> lib/name.txt
>            dropped   src/drop.txt
> 0 fit, 0 can be refreshed, 1 needs a person
> To refresh them: nanoclaw skill refresh x --against updates
2> warning: 'src/mine.txt' is in the core now: skill 'x' no longer adds it
$! nanoclaw skill refresh x
? 3
> x 1.0.0 paused on the way to core 0.2.0
>   dropped   src/mine.txt
>   CONFLICT  src/ours.txt
>   merged    src/old.txt -> lib/new.txt
>   GONE      src/gone.txt
>   renamed   src/name.txt -> lib/name.txt
>   dropped   src/drop.txt
>
> To resolve:
>   skills/x/modify/src/ours.txt: edit it, and remove the conflict markers
>   skills/x/modify/src/gone.txt: the core no longer has this file; keep it and the skill will add it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: 'src/mine.txt' is in the core now: skill 'x' no longer adds it
$ cat skills/x/modify/src/ours.txt
> <<<<<<< yours
> the skill's version
> ||||||| nothing
> =======
> the core's version
> >>>>>>> core 0.2.0
$ printf 'both versions\n' > skills/x/modify/src/ours.txt
$! nanoclaw continue
> x 1.0.0 refreshed for core 0.2.0
>   dropped   src/mine.txt
>   settled   src/ours.txt
>   merged    src/old.txt -> lib/new.txt
>   settled   src/gone.txt
>   renamed   src/name.txt -> lib/name.txt
>   dropped   src/drop.txt
$ cat skills/x/manifest.yaml
> skill: x
> version: 1.0.0
> core_version: 0.2.0
> adds: [src/other.txt, src/gone.txt]
> modifies:
>   - lib/new.txt # renamed by the core
>   - src/renamed.txt
>   - src/ours.txt
> file_ops:
>   # our own
>   - type: rename
>     from: lib/name.txt
>     to: src/renamed.txt
> base_hashes:
>   src/ours.txt: 00ed723233b8645bd90b7518700ce8173fc3f0bb629ce5d4765748eab12174c9
>   lib/new.txt: 9a0c5ba6d94e26d338c2ad7e8481d26b31b6d06784986d315f16acf2d230c8d1
>   src/renamed.txt: a954d37281ce6914cc51dda5f4607f426aae576f85d4d813fa91ffdcab439cad
$ find skills/x -type f | sort
> skills/x/SKILL.md
> skills/x/add/src/gone.txt
> skills/x/add/src/other.txt
> skills/x/manifest.yaml
> skills/x/modify/lib/new.txt
> skills/x/modify/lib/new.txt.intent.md
> skills/x/modify/src/ours.txt
> skills/x/modify/src/renamed.txt
> skills/x/modify/src/renamed.txt.intent.md
# The other decision: the skill no longer touches the file.
$ nanoclaw -q undo
$ nanoclaw -q skill refresh x
? 3
> x 1.0.0 paused on the way to core 0.2.0
>
> To resolve:
>   skills/x/modify/src/gone.txt: the core no longer has this file; keep it and the skill will add it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm skills/x/modify/src/gone.txt
$ nanoclaw continue
> x 1.0.0 refreshed for core 0.2.0
>   dropped   src/mine.txt
>   resolved  src/ours.txt
>   merged    src/old.txt -> lib/new.txt
>   settled   src/gone.txt
>   renamed   src/name.txt -> lib/name.txt
>   dropped   src/drop.txt
$ cat skills/x/manifest.yaml
> skill: x
> version: 1.0.0
> core_version: 0.2.0
> adds: [src/other.txt]
> modifies:
>   - lib/new.txt # renamed by the core
>   - src/renamed.txt
>   - src/ours.txt
> file_ops:
>   # our own
>   - type: rename
>     from: lib/name.txt
>     to: src/renamed.txt
> base_hashes:
>   src/ours.txt: 00ed723233b8645bd90b7518700ce8173fc3f0bb629ce5d4765748eab12174c9
>   lib/new.txt: 9a0c5ba6d94e26d338c2ad7e8481d26b31b6d06784986d315f16acf2d230c8d1
>   src/renamed.txt: a954d37281ce6914cc51dda5f4607f426aae576f85d4d813fa91ffdcab439cad
$ nanoclaw skill check skills/x
> skills/x/modify/lib/new.txt.intent.md: warning: the heading 'Key sections' is missing
> skills/x/modify/lib/new.txt.intent.md: warning: the heading 'Invariants' is missing
> skills/x/modify/lib/new.txt.intent.md: warning: the heading 'Must-keep' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Key sections' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Invariants' is missing
> skills/x/modify/src/renamed.txt.intent.md: warning: the heading 'Must-keep' is missing
> skills/x/modify/src/ours.txt.intent.md: warning: the intent file is missing
> skills/x/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 1 package checked: 0 errors, 8 warnings
== after ==
-- VERSION --
0.2.0
-- lib/name.txt --
before it is renamed
by the skill
-- lib/new.txt --
a
b
c
d
e
F
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 0.2.0
adds: [src/other.txt]
modifies:
  - lib/new.txt # renamed by the core
  - src/renamed.txt
  - src/ours.txt
file_ops:
  # our own
  - type: rename
    from: lib/name.txt
    to: src/renamed.txt
base_hashes:
  src/ours.txt: 00ed723233b8645bd90b7518700ce8173fc3f0bb629ce5d4765748eab12174c9
  lib/new.txt: 9a0c5ba6d94e26d338c2ad7e8481d26b31b6d06784986d315f16acf2d230c8d1
  src/renamed.txt: a954d37281ce6914cc51dda5f4607f426aae576f85d4d813fa91ffdcab439cad
-- skills/x/modify/lib/new.txt --
A
b
c
d
e
F
-- skills/x/modify/lib/new.txt.intent.md --
## What changed
The first line.
-- skills/x/modify/src/ours.txt --
both versions
-- src/mine.txt --
the same file
-- src/ours.txt --
the core's version
-- !skills/x/add/src/mine.txt --
-- !skills/x/add/src/ours.txt --
-- !skills/x/modify/src/gone.txt --
-- !skills/x/modify/src/gone.txt.intent.md --
-- !skills/x/modify/src/old.txt --
-- !skills/x/modify/src/old.txt.intent.md --
-- !src/drop.txt --
-- !src/gone.txt --
-- !src/name.txt --
-- !src/old.txt --
