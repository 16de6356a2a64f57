# damage to the base is distinguished from the person's edits, file by file
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
one
-- c.txt --
one
-- d.txt --
one
-- link -> a.txt --
-- run [755] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [c.txt]
-- skills/x/modify/c.txt --
one
two
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw verify
> 15 files checked: all as recorded
$ cp -a .nanoclaw kept
# Files of the base are changed, gone and new; the tree is as it was.
$ echo evil >> .nanoclaw/base/a.txt; rm .nanoclaw/base/b.txt; echo evil > .nanoclaw/base/new; chmod -x .nanoclaw/base/run; ln -sf b.txt .nanoclaw/base/link; echo evil >> .nanoclaw/base/c.txt
$ nanoclaw verify
? 1
> 15 files checked: 0 changed by you, 6 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base/a.txt  (core, 2c8b08da5ce6, now 17c7ac8f8226)
>             the core had a different file; restore it from a copy of the project
>   missing   .nanoclaw/base/b.txt  (core, 2c8b08da5ce6, now nothing)
>             restore it from a copy of the project
>   damaged   .nanoclaw/base/c.txt  (core, 2c8b08da5ce6, now 17c7ac8f8226)
>             the core had a different file; restore it from a copy of the project
>   damaged   .nanoclaw/base/link  (core, 18b7cb099a9e, now ffa0da5d885f)
>             the core had a different file; restore it from a copy of the project
>   damaged   .nanoclaw/base/run  (core, 2c8b08da5ce6, now 2c8b08da5ce6)
>             the content is right, but not its kind or execute bit; restore it from a copy of the project
>   damaged   .nanoclaw/base/new  (core, nothing, now 886b67480dbe)
>             the core does not have this file; remove it
# The person has changed files, too, be their base damaged, gone or whole.
$ echo mine > a.txt; rm b.txt; echo mine >> d.txt; ln -sf d.txt link; chmod -x run; echo evil > new
$ nanoclaw verify
? 1
> 15 files checked: 5 changed by you, 6 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base/a.txt  (core, 2c8b08da5ce6, now 17c7ac8f8226)
>             the core had a different file; restore it from a copy of the project
>   missing   .nanoclaw/base/b.txt  (core, 2c8b08da5ce6, now nothing)
>             restore it from a copy of the project
>   damaged   .nanoclaw/base/c.txt  (core, 2c8b08da5ce6, now 17c7ac8f8226)
>             the core had a different file; restore it from a copy of the project
>   damaged   .nanoclaw/base/link  (core, 18b7cb099a9e, now ffa0da5d885f)
>             the core had a different file; restore it from a copy of the project
>   damaged   .nanoclaw/base/run  (core, 2c8b08da5ce6, now 2c8b08da5ce6)
>             the content is right, but not its kind or execute bit; restore it from a copy of the project
>   damaged   .nanoclaw/base/new  (core, nothing, now 886b67480dbe)
>             the core does not have this file; remove it
# With the original base, only these remain.
$ rm -r .nanoclaw && cp -a kept .nanoclaw
$ nanoclaw verify
? 1
> 15 files checked: 5 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
# A file that both have changed in the same way is still one that the person changed.
$ echo mine > .nanoclaw/base/a.txt
$ nanoclaw verify
? 1
> 15 files checked: 5 changed by you, 1 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base/a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>             the core had a different file; restore it from a copy of the project
$ rm -r .nanoclaw && cp -a kept .nanoclaw
# The list itself is damaged.
$ sed -i 's/a.txt$/A.txt/' .nanoclaw/base.sha256
$ nanoclaw verify
? 1
> 9 files checked: 5 changed by you, 1 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base.sha256  (core, nothing, now nothing)
>             without it, damage to '.nanoclaw/base' looks like an edit of yours; restore it from a copy of the project
# One for another core says nothing, and without one as little is known as in earlier versions.
$ rm -r .nanoclaw && cp -a kept .nanoclaw; sed -i '1s/ 1.0.0 / 0.9.0 /' .nanoclaw/base.sha256
$ nanoclaw verify
? 1
> 9 files checked: 5 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
$ rm .nanoclaw/base.sha256; echo other > .nanoclaw/base/c.txt
$ nanoclaw verify
? 1
> 9 files checked: 5 changed by you, 1 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now fcbc800db3f1)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>   edited    d.txt  (core, 2c8b08da5ce6, now 30a499b87121)
>   type      link  (core, 18b7cb099a9e, now fc8f7873ef3f)
>   mode      run  (core, 100755, now 100644)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/base/c.txt  (core, 2c8b08da5ce6, now 7e4fa2eb8c7a)
>             the core differs from the one that a skill was merged with; restore it from a copy of the project
