# without state and packs, the history knows which skills are applied, and packages are known by their hashes
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
one
two x
three
four
five
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
depends: [x]
modifies: [x.txt]
-- skills/y/modify/x.txt --
x
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
-- skills/z/add/z.txt --
z
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q customize start 'with x' --skill x; sed -i 's/^three/three mine/' a.txt; nanoclaw -q customize commit; nanoclaw -q skill apply z; nanoclaw -q skill remove z; nanoclaw -q skill apply y; echo more >> x.txt; gzip -c .nanoclaw/state.yaml > was
> x 1.0.0 applied
> recorded as x-with-x
> z 1.0.0 applied
> z 1.0.0 removed
> y 1.0.0 applied
# Half of the tree is gone, too, and one file is edited.
$ rm -r .nanoclaw/state.yaml .nanoclaw/applied a.txt; nanoclaw doctor --fix | grep recovery; nanoclaw status; zcat was | diff - .nanoclaw/state.yaml | grep '^[<>]' | grep -v -e _at: -e last_updated: -e source
? 1
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> ok       recovery     sure: skill 'x' 1.0.0 is applied: its package has the files that were recorded
> ok       recovery     sure: skill 'y' 1.0.0 is applied: its package has the files that were recorded
> ok       recovery     sure: patch 'x-with-x': its description and place are in the older state
> warning  recovery     guess: the order of the skills: from the older state and the history
> ok       recovery     the records were rebuilt; your files are unchanged
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   x-with-x (custom patch)
>
> your unrecorded changes:
>   deleted   a.txt
>   edited    x.txt
$ nanoclaw --yes -q doctor --fix; cat a.txt x.txt; nanoclaw customize list
> one
> two x
> three mine
> four
> five
> x
> y
> more
> x-with-x  2001-02-03   1 file   with x (x)
>   a.txt
# Nothing but the history is left.
$ cd .nanoclaw; rm -r $(ls -A | grep -v history); cd ..; nanoclaw doctor --fix | grep recovery; nanoclaw status; nanoclaw verify
? 1
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> warning  recovery     guess: the core is 1.0.0, according to the older state
> ok       recovery     sure: skill 'x' 1.0.0 is applied: its package has the files that were recorded
> ok       recovery     sure: skill 'y' 1.0.0 is applied: its package has the files that were recorded
> warning  recovery     guess: the order of the skills: by their dependencies, then by name
> warning  recovery     guess: the base is lost, and so is the list of its files: 2 of your files that no skill changes are used as the core, and 0 that only git has
> ok       recovery     sure: 'a.txt' of the core was found again by its hash
> ok       recovery     the records were rebuilt; your files are unchanged
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    x.txt
> 9 files checked: 2 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill x, 41f1c14123c4, now 8282e70174f1)
>   edited    x.txt  (skill y, 09834d488008, now f7b33a3c34cc)
# A package of the same version with another file is a guess.
$ rm -r .nanoclaw/state.yaml .nanoclaw/applied; echo other >> skills/x/add/x.txt; nanoclaw doctor --fix | grep "skill '"
> warning  recovery     guess: skill 'x' 1.0.0 is applied: its pack is lost, and its package is used
> ok       recovery     sure: skill 'y' 1.0.0 is applied: its package has the files that were recorded
