# patches and edits are baked in, conflicts stay resolved, and no file of the project changes
unlisted: .nanoclaw
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
-- plain.txt --
core
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
six
seven
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two y
three
four
five
six
seven
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null; sed -i '/^<<<<<<</,/^>>>>>>>/c two x and y' a.txt; nanoclaw -q continue; nanoclaw -q resolution record; ls .nanoclaw/resolutions
> x 1.0.0 applied
> y 1.0.0 applied
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
> x@1.0.0+y@1.0.0
$ nanoclaw -q customize start 'louder seven'; sed -i 's/seven/SEVEN/' a.txt; echo new > mine.txt; nanoclaw -q customize commit
> recorded as 001-louder-seven
$ echo edited >> plain.txt; echo and x >> x.txt
$ nanoclaw --json rebase --dry-run
> {
>   "bakedFiles": [
>     "a.txt",
>     "mine.txt",
>     "plain.txt",
>     "x.txt"
>   ],
>   "bytesDropped": 1503,
>   "bytesKept": 27,
>   "commands": [],
>   "coreVersion": "1.0.0",
>   "droppedContents": 0,
>   "droppedResolutions": [
>     "x@1.0.0+y@1.0.0"
>   ],
>   "dryRun": true,
>   "flattenedSkills": [
>     "x",
>     "y"
>   ],
>   "foldedPatches": [
>     {
>       "description": "louder seven",
>       "name": "001-louder-seven",
>       "skill": null
>     }
>   ],
>   "nothingToDo": false,
>   "regeneratedFiles": 3,
>   "success": true,
>   "testsRun": 0,
>   "untrackedChanges": [
>     "plain.txt",
>     "x.txt"
>   ],
>   "warnings": []
> }
$ nanoclaw rebase
? 2
2> error: not a terminal, cannot ask whether to rebase
2> hint: 'nanoclaw rebase --dry-run' shows what is lost and gained; 'nanoclaw rebase --yes' does it
$! nanoclaw --yes rebase
> rebased onto core 1.0.0; your files stayed as they are
> lost
>   1 custom patch can no longer be removed separately:
>     001-louder-seven: louder seven
>   2 skills can no longer be removed one by one:
>     x
>     y
>   1 recorded resolution that no merge can need again:
>     x@1.0.0+y@1.0.0
> gained
>   3 files of skills are made without a merge from now on
>   4 files with changes of yours, 2 of them unrecorded so far:
>     a.txt
>     mine.txt
>     plain.txt
>     x.txt
>   1503 bytes in '.nanoclaw' are deleted, 27 are added; the history keeps the old ones for 'nanoclaw undo'
$ grep -A20 baked_modifications: .nanoclaw/state.yaml | grep -E '(applied_at|description):'
>     applied_at: "2001-02-03T04:05:06.000Z"
>     description: All changes of yours, as of the last rebase
$ nanoclaw status; nanoclaw verify; nanoclaw customize list; ls .nanoclaw; nanoclaw diff --by
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
> 22 files checked: all as recorded
> no custom patches are recorded here
> applied
> base
> base.sha256
> history
> hunks
> index
> lock
> objects
> resolutions
> rr-cache
> settled.yaml
> state.yaml
> a.txt
> core            1  one
> you (resolved)  2  two x and y
> core            3  three
>                 4  four
>                 5  five
>                 6  six
> baked           7  SEVEN
>   5 core, 1 patch baked, 1 you (resolved)
>
> mine.txt
> baked  1  new
>   1 patch baked
>
> plain.txt
> core   1  core
> baked  2  edited
>   1 core, 1 patch baked
>
> x.txt
> x      1  x
> baked  2  and x
>   1 skill x, 1 patch baked
$ grep -c 'rebased_at' .nanoclaw/state.yaml; nanoclaw --yes rebase; nanoclaw --json rebase --dry-run
> 3
> nothing to do: everything is already squashed
> {
>   "bakedFiles": [],
>   "bytesDropped": 0,
>   "bytesKept": 0,
>   "commands": [],
>   "coreVersion": "1.0.0",
>   "droppedContents": 0,
>   "droppedResolutions": [],
>   "dryRun": true,
>   "flattenedSkills": [
>     "x",
>     "y"
>   ],
>   "foldedPatches": [],
>   "nothingToDo": true,
>   "regeneratedFiles": 0,
>   "success": true,
>   "testsRun": 0,
>   "untrackedChanges": [],
>   "warnings": []
> }
== after ==
-- a.txt --
one
two x and y
three
four
five
six
SEVEN
-- plain.txt --
core
edited
-- x.txt --
x
and x
-- mine.txt --
new
