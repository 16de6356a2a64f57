# one hunk is written or taken at a time, and nothing if the file is not the one that was shown
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
2
3
4
5
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f --
skill 1
2
3
4
skill 5
-- skills/x/modify/f.intent.md --
# What changed
Numbers are the skill's.

## Must-keep
- `skill 1`, in whatever order
- `skill 5`
== run ==
$ nanoclaw conflict list
> no operation is paused
$ nanoclaw conflict show f
? 2
2> error: no operation is paused
$ nanoclaw -q init
$ sed -i 's/[15]/my &/' f
$ nanoclaw -q skill apply --on-drift continue x
? 3
> ...
$ nanoclaw conflict show f
> hunk 1 of 2, line 1
>   o yours
>   o | my 1
>     core 1.0.0
>     | 1
>   t x 1.0.0
>   t | skill 1
>       2
>       3
>       4
>
> hunk 2 of 2, line 11
>       2
>       3
>       4
>   o yours
>   o | my 5
>     core 1.0.0
>     | 5
>   t x 1.0.0
>   t | skill 5
>
>   the intent of x 1.0.0
>     # What changed
>     Numbers are the skill's.
>
>     ## Must-keep
>     - `skill 1`, in whatever order
>     - `skill 5`
$ nanoclaw --json conflict show f | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["state"], d["hunkCount"], json.dumps(d["hunks"][1]), d["intents"][0]["mustKeep"], sep="\n")'
> open
> 2
> {"base": "5\n", "baseLabel": "core 1.0.0", "before": "2\n3\n4\n", "behind": "", "both": "my 5\nskill 5\n", "both-theirs-first": "skill 5\nmy 5\n", "clear": true, "hunk": 2, "line": 11, "marked": "<<<<<<< yours\nmy 5\n||||||| core 1.0.0\n5\n=======\nskill 5\n>>>>>>> x 1.0.0\n", "ours": "my 5\n", "oursLabel": "yours", "theirs": "skill 5\n", "theirsLabel": "x 1.0.0"}
> ['skill 1', 'skill 5']
$ sha256sum < f | cut -c 1-64 > shown
$ echo 'mine and 5' | nanoclaw conflict write f --hunk 2 --if-hash $(cat shown)
$ nanoclaw --json conflict take f both --hunk 1 --if-hash $(cat shown)
? 1
> {
>   "changed": true,
>   "error": "'f' has changed since it was shown; nothing was written",
>   "success": false
> }
2> error: 'f' has changed since it was shown; nothing was written
$ nanoclaw conflict take f both --hunk 2
? 2
2> error: 'f' has no hunk 2: 1 are left
$ nanoclaw conflict take f base --hunk 1
? 2
2> error: 'base' is not ours, theirs, both or both-theirs-first
$ nanoclaw conflict take f both-theirs-first --hunk 1
$ nanoclaw conflict take f ours
? 2
2> error: 'f' has no hunks left
$ nanoclaw conflict list
> file  kind  state     hunks  skill
> f     text  resolved      0  x
$ rm shown
$ nanoclaw -q continue
> x 1.0.0 applied
== after ==
-- f --
skill 1
my 1
2
3
4
mine and 5
