# all faults of recorded resolutions are shown at once, each with its place
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
TWO
three
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two!
three
-- skills/z/manifest.yaml --
skill: z
version: 2.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/z/modify/a.txt --
one
two
three
z
-- .claude/resolutions/x@1.0.0+y@1.0.0/meta.yaml --
skills:
  - x@1.0.0
  - y@1.0.0
apply_order: [x, y]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- .claude/resolutions/x@1.0.0+y@1.0.0/a.txt.resolution --
one
TWO!
three
-- base/x+y/meta.yaml --
skills:
  - x@1.0.0
  - y@1.0.0
apply_order: [x, y]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a0"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- base/x+y/a.txt.resolution --
one
TWO!
three
-- current/x+y/meta.yaml --
skills:
  - x@1.0.0
  - y@1.0.0
apply_order: [x, y]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511130"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- current/x+y/a.txt.resolution --
one
TWO!
three
-- skill/x+y/meta.yaml --
skills:
  - x@1.0.0
  - y@1.0.0
apply_order: [x, y]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53150"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- skill/x+y/a.txt.resolution --
one
TWO!
three
-- output/x+y/meta.yaml --
skills:
  - x@1.0.0
  - y@1.0.0
apply_order: [x, y]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b00"
-- output/x+y/a.txt.resolution --
one
TWO!
three
-- many/x+w/meta.yaml --
skills:
  - x@1.0.0
  - w@1.0.0
apply_order: [x, w]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
file_hashes:
  a.txt:
    base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
    current: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
    skill: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
    output: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
  gone.txt:
    base: null
    current: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
    skill: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
    output: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
-- many/x+w/a.txt.resolution --
one
TWO!
three
-- many/x+w/more.txt.resolution --
more
-- many/x+w/alone.preimage --
alone
-- many/x+w/README --
read
-- many/x+y/meta.yaml --
skills: [x@1.0.0, z@1.0.0]
apply_order: [x, q]
tested: perhaps
test_passed: true
resolution_source: me
core_version: new
file_hashes:
  ../a.txt: {base: 1, current: 2, skill: 3}
-- many/z/meta.yaml --
skills:
  - x@1.0.0
  - z@1.0.0
apply_order: [x, z]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  y_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- many/z/a.txt.resolution [hex] --
3c3c3c3c3c3c3c20780a6f6e650a3d3d3d3d3d3d3d0a74776f0a3e3e3e3e3e3e3e20790a
-- many/empty/ --
-- many/link/meta.yaml -> ../../VERSION --
-- many/link/a.txt.resolution -> ../../a.txt --
-- many/linked -> ../base/x+y --
== run ==
$ nanoclaw resolution check
> 1 folder checked: no faults
$ nanoclaw resolution check base
? 2
> base/x+y/meta.yaml:11:3: error: 'base' of 'a.txt' is not the core's file, nor one that a package adds
> base/x+y/meta.yaml:11:3: note: 'current' of 'a.txt' cannot be checked here
> 1 folder checked: 1 error, 0 warnings
$ nanoclaw resolution check current
? 2
> current/x+y/meta.yaml:11:3: error: 'current' of 'a.txt' does not match what the other skills produce
> 1 folder checked: 1 error, 0 warnings
$ nanoclaw resolution check skill/x+y
? 2
> skill/x+y/meta.yaml:11:3: error: 'skill' of 'a.txt' does not match a file of its skills
> skill/x+y/meta.yaml:11:3: note: 'current' of 'a.txt' cannot be checked here
> 1 folder checked: 1 error, 0 warnings
$ nanoclaw -q resolution check output/x+y/
? 2
> output/x+y/a.txt.resolution: error: it does not match the recorded hash 'output'
$ nanoclaw resolution check many
? 2
> many/empty: error: it has no meta.yaml
> many/link/a.txt.resolution: error: it is a symbolic link, and must be a file
> many/link/meta.yaml: error: it is a symbolic link, and must be a file
> many/link: error: cannot open 'meta.yaml': a symbolic link is in the way
> many/linked: error: 'linked' is a symbolic link, and must be a folder
> many/x+w/more.txt.resolution: error: meta.yaml has no hashes for it
> many/x+w/meta.yaml:2:3: error: skill 'w' is not among the packages
> many/x+w/meta.yaml:16:3: error: the resolution of 'gone.txt' is missing
> many/x+w/README: warning: it ends neither in .resolution nor in .preimage, and is ignored
> many/x+w/alone.preimage: warning: there is no resolution for it
> many/x+w/meta.yaml:11:3: note: 'skill' of 'a.txt' cannot be checked: a package is missing
> many/x+w/meta.yaml:11:3: note: 'current' of 'a.txt' cannot be checked here
> many/x+y/meta.yaml:2:18: error: 'apply_order' has 'q', which is not in 'skills', or has it twice
> many/x+y/meta.yaml:3:9: error: 'tested' must be true or false, not a string
> many/x+y/meta.yaml:8:3: error: path '../a.txt' has the component '..'
> many/x+y: error: the folder's name is not that of its skills; it should be 'x@1.0.0+z@1.0.0'
> many/x+y/meta.yaml:1:1: warning: 'resolved_at' is missing
> many/x+y/meta.yaml:6:15: warning: 'core_version': version 'new' is not of the form 1.2.3
> many/x+y/meta.yaml:5:20: warning: 'resolution_source' must be user, claude or maintainer
> many/z: error: the folder's name is not that of its skills; it should be 'x@1.0.0+z@1.0.0'
> many/z/meta.yaml:2:3: error: it is for z 1.0.0, and the package here is 2.0.0
> many/z/a.txt.resolution: error: it does not match the recorded hash 'output'
> many/z/meta.yaml:11:3: error: the resolution of 'a.txt' has conflict markers in it
> many/z/meta.yaml:11:3: note: 'skill' of 'a.txt' cannot be checked: a package is missing
> many/z/meta.yaml:11:3: note: 'current' of 'a.txt' cannot be checked here
> 6 folders checked: 16 errors, 5 warnings
$ nanoclaw --json resolution check output
? 2
> {
>   "error": "1 error in the resolutions",
>   "results": [
>     {
>       "error": "a.txt.resolution: it does not match the recorded hash 'output'",
>       "faults": [
>         {
>           "severity": "error",
>           "text": "it does not match the recorded hash 'output'",
>           "where": "a.txt.resolution"
>         }
>       ],
>       "folder": "output/x+y",
>       "success": false
>     }
>   ],
>   "success": false
> }
$ cd output/x+y && nanoclaw resolution check .
? 2
> ./meta.yaml:2:3: error: skill 'x' is not among the packages
> ./meta.yaml:2:3: error: skill 'y' is not among the packages
> ./a.txt.resolution: error: it does not match the recorded hash 'output'
> ./meta.yaml:11:3: error: 'base' of 'a.txt' is not the core's file, nor one that a package adds
> ./meta.yaml:11:3: note: 'skill' of 'a.txt' cannot be checked: a package is missing
> ./meta.yaml:11:3: note: 'current' of 'a.txt' cannot be checked here
> 1 folder checked: 4 errors, 0 warnings
