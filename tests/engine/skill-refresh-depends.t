# a package on top of others is brought along with what it is made on
needs: git
ignore: .git .git/** data data/**
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
seven
eight
nine
ten
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
description: changes two
core_version: 1.0.0
modifies:
  - a.txt
-- skills/low/modify/a.txt --
one
two by low
three
four
five
six
seven
eight
nine
ten
-- skills/side/manifest.yaml --
skill: side
version: 1.0.0
description: changes six
core_version: 1.0.0
modifies:
  - a.txt
-- skills/side/modify/a.txt --
one
two
three
four
five
six by side
seven
eight
nine
ten
== run ==
$ git init -q && git add -A && git commit -qm one && git tag v1.0.0
# Packages within the lines of one other, and of two.
$ mkdir data && cp -r VERSION a.txt skills data
$ nanoclaw -q -C data skill apply low side
> low 1.0.0 applied
> side 1.0.0 applied
$ sed -i 's/two by low/two by low and top/' data/a.txt
$ nanoclaw -q -C data skill new top --from-changes --into skills
$ sed -i 's/six by side/six by side and both/' data/a.txt
$ nanoclaw -q -C data skill new both --from-changes --into skills
$ cp -r data/skills/top data/skills/both skills && git add -A skills && git commit -qm packages
$ nanoclaw skill check --against .
> skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/both/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/low/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/low/modify/a.txt.intent.md: warning: the intent file is missing
> skills/side/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/side/modify/a.txt.intent.md: warning: the intent file is missing
> skills/top/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/top/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 4 packages checked: 0 errors, 8 warnings
> against core 1.0.0:
>   low 1.0.0   fits
>   side 1.0.0  fits
>   both 1.0.0  fits
>   top 1.0.0   fits
> 4 fit, 0 can be refreshed, 0 need a person
# A new core.
$ echo 1.1.0 > VERSION && sed -i 's/ten/ten of the core/' a.txt
$ nanoclaw skill check --against .
> skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/both/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/low/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/low/modify/a.txt.intent.md: warning: the intent file is missing
> skills/side/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/side/modify/a.txt.intent.md: warning: the intent file is missing
> skills/top/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/top/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 4 packages checked: 0 errors, 8 warnings
> against core 1.1.0:
>   low 1.0.0   merges    a.txt
>   side 1.0.0  merges    a.txt
>   both 1.0.0  merges    a.txt
>   top 1.0.0   merges    a.txt
> 0 fit, 4 can be refreshed, 0 need a person
> To refresh them: nanoclaw skill refresh low side both top --against .
$ nanoclaw skill refresh --all --raise patch
> low 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
>   merged    a.txt
> side 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
>   merged    a.txt
> both 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
>   merged    a.txt
> top 1.0.1 (before: 1.0.0) refreshed for core 1.1.0
>   merged    a.txt
$ cat skills/top/modify/a.txt skills/both/modify/a.txt
> one
> two by low and top
> three
> four
> five
> six
> seven
> eight
> nine
> ten of the core
> one
> two by low and top
> three
> four
> five
> six by side and both
> seven
> eight
> nine
> ten of the core
$ grep -c "$(sha256sum < skills/low/modify/a.txt | cut -d ' ' -f 1)" skills/top/manifest.yaml
> 1
$ nanoclaw skill check --against .
> skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/both/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/low/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/low/modify/a.txt.intent.md: warning: the intent file is missing
> skills/side/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/side/modify/a.txt.intent.md: warning: the intent file is missing
> skills/top/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/top/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 4 packages checked: 0 errors, 8 warnings
> against core 1.1.0:
>   low 1.0.1   fits
>   side 1.0.1  fits
>   both 1.0.1  fits
>   top 1.0.1   fits
> 4 fit, 0 can be refreshed, 0 need a person
# They go on the new core as before.
$ git add -A && git commit -qm new && nanoclaw -q skill apply low side top both && cat a.txt
> low 1.0.1 applied
> side 1.0.1 applied
> top 1.0.1 applied
> both 1.0.1 applied
> one
> two by low and top
> three
> four
> five
> six by side and both
> seven
> eight
> nine
> ten of the core
$ nanoclaw undo && nanoclaw undo
> 'skill apply low, side, top, both' is undone
>   restored  a.txt
> 'skill refresh low, side, both, top' is undone
>   restored  skills/both/manifest.yaml
>   restored  skills/both/modify/a.txt
>   restored  skills/low/manifest.yaml
>   restored  skills/low/modify/a.txt
>   restored  skills/side/manifest.yaml
>   restored  skills/side/modify/a.txt
>   restored  skills/top/manifest.yaml
>   restored  skills/top/modify/a.txt
# A conflict in a dependency: first the dependency, then the package on top of it.
$ echo 1.1.0 > VERSION && sed -i 's/two/2/' a.txt
$ nanoclaw skill check --against .
? 2
> skills/both/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/both/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/low/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/low/modify/a.txt.intent.md: warning: the intent file is missing
> skills/side/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/side/modify/a.txt.intent.md: warning: the intent file is missing
> skills/top/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> skills/top/modify/a.txt.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 4 packages checked: 0 errors, 8 warnings
> against core 1.1.0:
>   low 1.0.0   CONFLICT  a.txt
>   side 1.0.0  merges    a.txt
>   both 1.0.0  WAITS     a.txt
>   top 1.0.0   WAITS     a.txt
> 0 fit, 1 can be refreshed, 3 need a person
> To refresh them: nanoclaw skill refresh low side both top --against .
$ nanoclaw skill refresh low top
? 3
> low 1.0.0 paused on the way to core 1.1.0
>   CONFLICT  a.txt
> top 1.0.0 waits for a package that it builds on; then run 'nanoclaw skill refresh top'
>
> To resolve:
>   skills/low/modify/a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i '/^<<<<<<</d;/^|||||||/,/^=======/d;/^>>>>>>>/d;/^two by low$/d;s/^2$/2 by low/' skills/low/modify/a.txt
$ nanoclaw continue
> low 1.0.0 refreshed for core 1.1.0
>   settled   a.txt
> top 1.0.0 waits for a package that it builds on; then run 'nanoclaw skill refresh top'
$ cat skills/low/modify/a.txt skills/top/modify/a.txt
> one
> 2 by low
> three
> four
> five
> six
> seven
> eight
> nine
> ten of the core
> one
> two by low and top
> three
> four
> five
> six
> seven
> eight
> nine
> ten
$ nanoclaw skill refresh top
? 3
> top 1.0.0 paused on the way to core 1.1.0
>   CONFLICT  a.txt
>
> To resolve:
>   skills/top/modify/a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat skills/top/modify/a.txt
> one
> <<<<<<< yours
> two by low and top
> ||||||| low, as the skill knew it
> two by low
> =======
> 2 by low
> >>>>>>> core 1.1.0
> three
> four
> five
> six
> seven
> eight
> nine
> ten of the core
$ nanoclaw abort
> everything is as it was before 'skill refresh'
