# without the core that a package was written for, lines at risk are named
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.3.0
-- a.txt --
one
two, which the core has changed
three, which is new
-- b.txt --
kept
-- skills/old/SKILL.md --
-- skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 0.1.0
modifies: [a.txt]
-- skills/old/modify/a.txt --
one
two
four
-- skills/more/SKILL.md --
-- skills/more/manifest.yaml --
skill: more
version: 1.0.0
core_version: 0.1.0
modifies: [b.txt]
-- skills/more/modify/b.txt --
kept
and more
-- skills/early/SKILL.md --
-- skills/early/manifest.yaml --
skill: early
version: 1.0.0
core_version: 0.4.0
base_hashes: {b.txt: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
modifies: [b.txt]
-- skills/early/modify/b.txt --
another
== run ==
# It has all lines of the core: whatever it was made of, nothing is lost.
$ nanoclaw skill refresh more
> more 1.0.0: nothing to do, it fits core 0.3.0
$ nanoclaw skill refresh old
? 2
2> error: not everything can be refreshed for core 0.3.0:
2>   old 1.0.0: the file that it changed is not known, and these lines of 'a.txt' may have been added since:
2>     two, which the core has changed
2>     three, which is new
2> hint: nothing was changed; tag the old core in git, or accept the files as they are with '--ancestor base'
$ nanoclaw --json skill refresh old
? 2
> {
>   "error": "not everything can be refreshed for core 0.3.0:\n  old 1.0.0: the file that it changed is not known, and these lines of 'a.txt' may have been added since:\n    two, which the core has changed\n    three, which is new",
>   "hint": "nothing was changed; tag the old core in git, or accept the files as they are with '--ancestor base'",
>   "success": false
> }
2> error: not everything can be refreshed for core 0.3.0:
2>   old 1.0.0: the file that it changed is not known, and these lines of 'a.txt' may have been added since:
2>     two, which the core has changed
2>     three, which is new
2> hint: nothing was changed; tag the old core in git, or accept the files as they are with '--ancestor base'
$ nanoclaw skill refresh early
? 2
2> error: early 1.0.0 is written for core 0.4.0, and this one is older: 0.3.0
2> hint: update the core first
$ nanoclaw skill refresh nobody
? 2
2> error: there is no skill 'nobody'
2> hint: 'nanoclaw skill list' shows the skills of this project
$! nanoclaw skill refresh old --ancestor base
> old 1.0.0 refreshed for core 0.3.0
>   as it is  a.txt
2> warning: 'a.txt' of skill 'old' is left as it is, as accepted
$ cat skills/old/manifest.yaml
> skill: old
> version: 1.0.0
> core_version: 0.3.0
> modifies: [a.txt]
> base_hashes:
>   a.txt: c152521e55f68e395ab728f92aea613272a25532b27f77bf3cff975ad112fbb9
$ nanoclaw skill refresh old
> old 1.0.0: nothing to do, it fits core 0.3.0
$ mkdir ../elsewhere
$ cp -r skills/more ../elsewhere
$ nanoclaw skill refresh ../elsewhere/more
? 2
2> error: the package '../elsewhere/more' is not in the project '[dir]'
2> hint: copy it to 'skills/more' of the project first
$ rm -r ../elsewhere
== after ==
-- skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 0.3.0
modifies: [a.txt]
base_hashes:
  a.txt: c152521e55f68e395ab728f92aea613272a25532b27f77bf3cff975ad112fbb9
