# in the core's own repository the old core is found in git, and nothing is initialized
ignore: .git .git/**
unlisted: .nanoclaw .nanoclaw/**
needs: git
-- VERSION --
0.1.0
-- a.txt --
one
two
three
four
-- b.txt --
eins
zwei
drei
-- skills/tagged/SKILL.md --
-- skills/tagged/manifest.yaml --
skill: tagged
version: 1.0.0
core_version: 0.1.0
modifies: [a.txt]
-- skills/tagged/modify/a.txt --
one
three
four
-- skills/hashed/SKILL.md --
-- skills/hashed/manifest.yaml --
skill: hashed
version: 1.0.0
core_version: 0.1.5
modifies: [b.txt]
base_hashes: {b.txt: f4b1a73e2a3d0ec1cdae2d3c69bdcd9ea0a9aa6a4a2c7e0e4e6e4b1c5d1f0a55}
-- skills/hashed/modify/b.txt --
eins
drei
== run ==
$ git init -q && git add -A && git commit -qm one && git tag v0.1.0
$ sed -i "s/f4b1a73e[0-9a-f]*/$(sha256sum < b.txt | cut -d' ' -f1)/" skills/hashed/manifest.yaml
$ printf '0.2.0\n' > VERSION && printf 'one\ntwo\nthree\nFOUR\n' > a.txt && printf 'eins\nzwei\ndrei\nvier\n' > b.txt
$ git add -A && git commit -qm two
$ nanoclaw skill check --against v0.1.0
> skills/hashed/modify/b.txt.intent.md: warning: the intent file is missing
> skills/hashed/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/tagged/modify/a.txt.intent.md: warning: the intent file is missing
> skills/tagged/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 2 packages checked: 0 errors, 4 warnings
> against core 0.1.0:
>   hashed 1.0.0  fits
>   tagged 1.0.0  fits
> 2 fit, 0 can be refreshed, 0 need a person
$ nanoclaw skill check --against .
> skills/hashed/modify/b.txt.intent.md: warning: the intent file is missing
> skills/hashed/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> skills/tagged/modify/a.txt.intent.md: warning: the intent file is missing
> skills/tagged/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 2 packages checked: 0 errors, 4 warnings
> against core 0.2.0:
>   hashed 1.0.0  merges    b.txt
>   tagged 1.0.0  merges    a.txt
> 0 fit, 2 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh hashed tagged --against .
$! nanoclaw skill refresh --all
> hashed 1.0.0 refreshed for core 0.2.0
>   merged    b.txt
> tagged 1.0.0 refreshed for core 0.2.0
>   merged    a.txt
$ cat skills/tagged/modify/a.txt skills/hashed/modify/b.txt
> one
> three
> FOUR
> eins
> drei
> vier
$ cat skills/hashed/manifest.yaml
> skill: hashed
> version: 1.0.0
> core_version: 0.2.0
> modifies: [b.txt]
> base_hashes: {b.txt: b14594449389cb70f585b4b957802de9f00eddd8db033b2dcad045edcb4dc47e}
$ test -e .nanoclaw/state.yaml
? 1
# A conflict leaves the project uninitialized, too.
$ printf 'one\nTWO\nthree\nFOUR\n' > a.txt
$ nanoclaw skill refresh tagged
? 3
> tagged 1.0.0 paused on the way to core 0.2.0
>   CONFLICT  a.txt
>
> To resolve:
>   skills/tagged/modify/a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status
> no skills have been applied here
>
> 'skill refresh' is paused; to resolve:
>   skills/tagged/modify/a.txt  (core)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ printf 'one\nthree\nFOUR\n' > skills/tagged/modify/a.txt
$ nanoclaw continue
> tagged 1.0.0 refreshed for core 0.2.0
>   settled   a.txt
$ test -e .nanoclaw/state.yaml
? 1
$ nanoclaw skill refresh tagged
> tagged 1.0.0: nothing to do, it fits core 0.2.0
$ git status --short
>  M a.txt
>  M skills/hashed/manifest.yaml
>  M skills/hashed/modify/b.txt
>  M skills/tagged/manifest.yaml
>  M skills/tagged/modify/a.txt
> ?? .nanoclaw/
== after ==
-- VERSION --
0.2.0
-- a.txt --
one
TWO
three
FOUR
-- b.txt --
eins
zwei
drei
vier
-- skills/hashed/manifest.yaml --
skill: hashed
version: 1.0.0
core_version: 0.2.0
modifies: [b.txt]
base_hashes: {b.txt: b14594449389cb70f585b4b957802de9f00eddd8db033b2dcad045edcb4dc47e}
-- skills/hashed/modify/b.txt --
eins
drei
vier
-- skills/tagged/manifest.yaml --
skill: tagged
version: 1.0.0
core_version: 0.2.0
modifies: [a.txt]
base_hashes:
  a.txt: e1b6ddc661fab6708f3f40be3e77563e256be6c64e6514385206e43dfa5a45b2
-- skills/tagged/modify/a.txt --
one
three
FOUR
