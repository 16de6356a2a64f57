# the resolutions of the last continue are recorded once, for their skills, and can be shipped
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
-- .nanoclaw/settled.yaml --
settled:
  - base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
    core_version: 1.0.0
    current: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
    output: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
    path: a.txt
    preimage: 95b2a268a4bb3a960a716617b8f4f02e17e77bb88844c359a03796d75bd129a9
    skill: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
    skills:
      - x@1.0.0
      - y@1.0.0
    source: user
    test_passed: true
    tested: true
-- .nanoclaw/objects/93/0a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e [444] --
one
TWO!
three
-- .nanoclaw/objects/95/b2a268a4bb3a960a716617b8f4f02e17e77bb88844c359a03796d75bd129a9 [444 hex] --
6f6e650a3c3c3c3c3c3c3c0a54574f0a3d3d3d3d3d3d3d0a74776f210a3e3e3e3e3e3e3e0a74687265650a
== run ==
$ nanoclaw -q init
$ nanoclaw resolution list
> no resolutions are recorded
$! nanoclaw resolution record
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
$ nanoclaw resolution record
> it is already recorded
$ nanoclaw resolution list
> skills           files  source      tested  date        whose
> x@1.0.0+y@1.0.0      1  user        yes     2001-02-03  own
$ nanoclaw resolution check
> 1 folder checked: no faults
$! nanoclaw resolution record --source maintainer --into .claude/resolutions
> recorded in .claude/resolutions/x@1.0.0+y@1.0.0
$ nanoclaw --json resolution record --source maintainer --into ./.claude/resolutions/
> {
>   "folder": ".claude/resolutions",
>   "nothingToDo": true,
>   "recorded": [],
>   "success": true
> }
# Also one whose conflict cannot be kept as text.
$ cp .nanoclaw/settled.yaml was; sed -i '/preimage/d' .nanoclaw/settled.yaml
$ nanoclaw resolution record --into more; nanoclaw resolution record --into more; ls more/*
> recorded in more/x@1.0.0+y@1.0.0
> it is already recorded
> a.txt.resolution
> meta.yaml
$ rm -r more; mv was .nanoclaw/settled.yaml
$ nanoclaw resolution record --source me
? 2
2> error: '--source' must be user, claude or maintainer, not 'me'
$ nanoclaw resolution record --into .nanoclaw/base
? 2
2> error: '--into': '.nanoclaw/base' cannot hold resolutions
2> hint: '.claude/resolutions' is shipped with the project
$ nanoclaw resolution record --into ../elsewhere
? 2
2> error: '--into': path '../elsewhere' has the component '..'
2> hint: name a folder relative to the project's root
$ nanoclaw resolution list
> skills           files  source      tested  date        whose
> x@1.0.0+y@1.0.0      1  user        yes     2001-02-03  own
> x@1.0.0+y@1.0.0      1  maintainer  yes     2001-02-03  shipped
$ nanoclaw resolution check
> 2 folders checked: no faults
== after ==
-- .claude/resolutions/x@1.0.0+y@1.0.0/a.txt.preimage [hex] --
6f6e650a3c3c3c3c3c3c3c0a54574f0a3d3d3d3d3d3d3d0a74776f210a3e3e3e3e3e3e3e0a74687265650a
-- .claude/resolutions/x@1.0.0+y@1.0.0/a.txt.resolution --
one
TWO!
three
-- .claude/resolutions/x@1.0.0+y@1.0.0/meta.yaml --
apply_order:
  - x
  - "y"
core_version: 1.0.0
file_hashes:
  a.txt:
    base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
    current: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
    output: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
    skill: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
input_hashes:
  base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
  current_after_x: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
  y_modified: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
output_hash: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
resolution_source: maintainer
resolved_at: "2001-02-03T04:05:06.000Z"
skills:
  - x@1.0.0
  - y@1.0.0
test_passed: true
tested: true
-- .nanoclaw/resolutions/x@1.0.0+y@1.0.0/a.txt.preimage [hex] --
6f6e650a3c3c3c3c3c3c3c0a54574f0a3d3d3d3d3d3d3d0a74776f210a3e3e3e3e3e3e3e0a74687265650a
-- .nanoclaw/resolutions/x@1.0.0+y@1.0.0/a.txt.resolution --
one
TWO!
three
-- .nanoclaw/resolutions/x@1.0.0+y@1.0.0/meta.yaml --
apply_order:
  - x
  - "y"
core_version: 1.0.0
file_hashes:
  a.txt:
    base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
    current: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
    output: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
    skill: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
input_hashes:
  base: b6285c57e8797db5d4c51c80d6f11938afda9b11c6a003549709189e9b4b92a2
  current_after_x: b2ef07f1e2b1b58edd8a1b35c5472177f5f1fa1ff74cad1c04cc776029511139
  y_modified: 376bcd2b9f903344ce9ca34ab384fff197a4a4af03a056b8d53618042df53158
output_hash: 930a8fab1abd1e52e310bf925272d59f668deeeb40513e73539d86b662b51b0e
resolution_source: user
resolved_at: "2001-02-03T04:05:06.000Z"
skills:
  - x@1.0.0
  - y@1.0.0
test_passed: true
tested: true
