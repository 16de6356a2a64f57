# verify says for each difference in the tree which layer recorded the file, and what became of it
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
one
-- run [755] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
modifies: [a.txt]
-- skills/x/add/n.txt --
new
-- skills/x/modify/a.txt --
ONE
== run ==
$ nanoclaw verify
> no skills have been applied here
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw verify
> 10 files checked: all as recorded
$ echo one > a.txt
$ echo two > b.txt
$ chmod -x run
$ rm n.txt
$ nanoclaw verify
? 1
> 10 files checked: 4 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill x, bd52020371c0, now 2c8b08da5ce6)
>             as in the core: the changes of skill x are gone
>   edited    b.txt  (core, 2c8b08da5ce6, now 27dd8ed44a83)
>   deleted   n.txt  (skill x, 7aa7a5359173, now nothing)
>             as before: the changes of skill x are gone
>   mode      run  (core, 100755, now 100644)
$ nanoclaw --json verify
? 1
> {
>   "changedPackages": [],
>   "checked": 10,
>   "differences": [
>     {
>       "by": "user",
>       "change": "edited",
>       "expected": "bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531",
>       "found": "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
>       "layer": {
>         "kind": "skill",
>         "name": "x"
>       },
>       "note": "as in the core: the changes of skill x are gone",
>       "path": "a.txt"
>     },
>     {
>       "by": "user",
>       "change": "edited",
>       "expected": "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
>       "found": "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a",
>       "layer": {
>         "kind": "core",
>         "name": null
>       },
>       "note": null,
>       "path": "b.txt"
>     },
>     {
>       "by": "user",
>       "change": "deleted",
>       "expected": "7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c",
>       "found": null,
>       "layer": {
>         "kind": "skill",
>         "name": "x"
>       },
>       "note": "as before: the changes of skill x are gone",
>       "path": "n.txt"
>     },
>     {
>       "by": "user",
>       "change": "mode",
>       "expected": "100755",
>       "found": "100644",
>       "layer": {
>         "kind": "core",
>         "name": null
>       },
>       "note": null,
>       "path": "run"
>     }
>   ],
>   "error": "4 differences from the records",
>   "sources": [
>     {
>       "kind": "skill",
>       "name": "x",
>       "sha256": "711bbd19404ba4866c8b512b630dab7d007007f3f2a57fd85fea065c6cf189dd",
>       "source": "skills/x",
>       "version": "1.0.0"
>     }
>   ],
>   "success": false
> }
