# resolutions of other people are imported all or none, under the names of their skills
unlisted: .nanoclaw/base.sha256 .nanoclaw/base .nanoclaw/state.yaml
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
-- from/y+x/meta.yaml --
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
-- from/y+x/a.txt.resolution --
one
TWO!
three
-- from/other@1.0.0+x@1.0.0/meta.yaml --
skills:
  - x@1.0.0
  - other@1.0.0
apply_order: [x, other]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  other_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- from/other@1.0.0+x@1.0.0/a.txt.resolution --
one
TWO!
three
-- newer/meta.yaml --
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
output_hash: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
-- newer/a.txt.resolution --
one
TWO
three
== run ==
$ nanoclaw -q init
$! nanoclaw resolution import from
> x@1.0.0+other@1.0.0 imported, 1 file
> x@1.0.0+y@1.0.0 imported, 1 file
2> warning: from/other@1.0.0+x@1.0.0/meta.yaml:2:3: skill 'other' is not among the packages
$ nanoclaw resolution import from
> x@1.0.0+other@1.0.0 already exists
> x@1.0.0+y@1.0.0 already exists
2> warning: from/other@1.0.0+x@1.0.0/meta.yaml:2:3: skill 'other' is not among the packages
$ nanoclaw -v status 2>/dev/null
> core 1.0.0
>
> where it came from:
>   x@1.0.0+other@1.0.0: from/other@1.0.0+x@1.0.0, sha256 59bca4c5593ff1ed45cfd258c4fa5b7ad331707eb049b5954e00e660a7908560
>   x@1.0.0+y@1.0.0: from/y+x, sha256 652728dea00485d2a0a014c0a17e1c57044decc0f84dc1ea32a7ffbdd8776d2a
$ nanoclaw resolution import newer
? 2
2> error: '.nanoclaw/resolutions/x@1.0.0+y@1.0.0' already exists with different content
2> hint: '--replace' replaces it with the new one
$! nanoclaw resolution import newer --replace
> x@1.0.0+y@1.0.0 replaced, 1 file
$ nanoclaw --json resolution import newer
> {
>   "nothingToDo": true,
>   "resolutions": [
>     {
>       "files": 1,
>       "key": "x@1.0.0+y@1.0.0",
>       "outcome": "same"
>     }
>   ],
>   "success": true,
>   "warnings": []
> }
$ nanoclaw --json resolution list
> {
>   "resolutions": [
>     {
>       "coreVersion": "1.0.0",
>       "error": null,
>       "files": [
>         "a.txt"
>       ],
>       "folder": ".nanoclaw/resolutions",
>       "key": "x@1.0.0+other@1.0.0",
>       "resolvedAt": "2026-02-15T10:00:00Z",
>       "shipped": false,
>       "skills": [
>         "x@1.0.0",
>         "other@1.0.0"
>       ],
>       "source": "maintainer",
>       "testPassed": true,
>       "tested": true
>     },
>     {
>       "coreVersion": "1.0.0",
>       "error": null,
>       "files": [
>         "a.txt"
>       ],
>       "folder": ".nanoclaw/resolutions",
>       "key": "x@1.0.0+y@1.0.0",
>       "resolvedAt": "2026-02-15T10:00:00Z",
>       "shipped": false,
>       "skills": [
>         "x@1.0.0",
>         "y@1.0.0"
>       ],
>       "source": "maintainer",
>       "testPassed": true,
>       "tested": true
>     }
>   ],
>   "success": true
> }
$ nanoclaw resolution import nowhere
? 2
2> error: cannot open 'nowhere': no such file or directory
$ nanoclaw resolution import skills
? 2
2> error: skills/x: it has no meta.yaml
2> hint: nothing was imported; 'nanoclaw resolution check skills' shows all faults
== after ==
-- .nanoclaw/resolutions/x@1.0.0+other@1.0.0/a.txt.resolution --
one
TWO!
three
-- .nanoclaw/resolutions/x@1.0.0+other@1.0.0/meta.yaml --
skills:
  - x@1.0.0
  - other@1.0.0
apply_order: [x, other]
core_version: 1.0.0
resolved_at: 2026-02-15T10:00:00Z
tested: true
test_passed: true
resolution_source: maintainer
input_hashes:
  base: "b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2"
  current_after_x: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
  other_modified: "376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158"
output_hash: "930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e"
-- .nanoclaw/resolutions/x@1.0.0+y@1.0.0/a.txt.resolution --
one
TWO
three
-- .nanoclaw/resolutions/x@1.0.0+y@1.0.0/meta.yaml --
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
output_hash: "b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139"
