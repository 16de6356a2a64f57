# verify distinguishes damaged files of the engine from the person's edits
# ending: the base is gone
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
first
-- b.txt --
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
first
ONE
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q customize start louder
$ echo TWO > b.txt
$ nanoclaw -q customize commit
> recorded as 001-louder
$ nanoclaw verify
> 11 files checked: all as recorded
$ cp -a .nanoclaw kept
# A content that the patch needs is gone.
$ find .nanoclaw/objects -type f | sort | head -n 1 | xargs rm
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   missing   .nanoclaw/objects/2c/8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806  (patch 001-louder, 2c8b08da5ce6, now nothing)
>             files made from it cannot be merged without it; restore it from a copy of the project
$ rm -r .nanoclaw && cp -a kept .nanoclaw
# The patch was edited.
$ echo >> .nanoclaw/custom/001-louder.patch
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/custom/001-louder.patch  (patch 001-louder, 78f64668a992, now 30923f751e55)
>             restore it from a copy of the project
$ rm .nanoclaw/custom/001-louder.patch
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   missing   .nanoclaw/custom/001-louder.patch  (patch 001-louder, 78f64668a992, now nothing)
>             restore it from a copy of the project
$ rm -r .nanoclaw && cp -a kept .nanoclaw
# The pack was edited, then is gone: then the files in it are lost, too.
$ chmod u+w .nanoclaw/applied/x && echo >> .nanoclaw/applied/x
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 3 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/applied/x  (skill x, 4a9dc3164d96, now 6478e4680dfe)
>             restore it from a copy of the project
>   lost      a.txt  (skill x, 3ac5ae01d6b7, now nothing)
>             '.nanoclaw' has no copy of it as it was recorded; restore it from a copy of the project
>   lost      n.txt  (skill x, 7aa7a5359173, now nothing)
>             '.nanoclaw' has no copy of it as it was recorded; restore it from a copy of the project
$ rm -f .nanoclaw/applied/x
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 3 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   missing   .nanoclaw/applied/x  (skill x, nothing, now nothing)
>             restore it from a copy of the project
>   lost      a.txt  (skill x, 3ac5ae01d6b7, now nothing)
>             '.nanoclaw' has no copy of it as it was recorded; restore it from a copy of the project
>   lost      n.txt  (skill x, 7aa7a5359173, now nothing)
>             '.nanoclaw' has no copy of it as it was recorded; restore it from a copy of the project
$ rm -r .nanoclaw && cp -a kept .nanoclaw
# The base of a file that a skill was merged with.
$ echo other > .nanoclaw/base/a.txt
$ nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base/a.txt  (core, b640e840b19d, now 7e4fa2eb8c7a)
>             the core had a different file; restore it from a copy of the project
$ rm -r .nanoclaw/base
$ nanoclaw verify
? 1
> 0 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   missing   .nanoclaw/base  (core, nothing, now nothing)
>             restore it from a copy; without it nothing can be checked or merged
