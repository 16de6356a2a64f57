# a recorded patch that cannot be applied is found: a fault in the state with its place, the rest as damage
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
one
== run ==
$ nanoclaw -q init; nanoclaw -q customize start x; echo two > a.txt; rm b.txt; echo new > n.txt; nanoclaw -q customize commit; cp -r .nanoclaw kept
> recorded as 001-x
$! nanoclaw verify
> 12 files checked: all as recorded
# The state has something else where hashes should be.
$ sed 's/before: .*/before: [1]/' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:9:17: before must be a scalar, not a sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's/after: .*/after: abc/' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:8:16: 'after': a hash has 64 digits, not 3
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's/contents:/contents: [1]\n    other:/' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:6:15: contents must be a mapping, not a sequence
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's/patch_hash: .*/patch_hash: {}/' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:26:17: patch_hash must be a scalar, not a mapping
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ sed 's/- b.txt/- {a: 1}/' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 2
2> error: .nanoclaw/state.yaml:19:9: a path must be a scalar, not a mapping
2> hint: nothing was changed; fix that file, or let 'nanoclaw doctor --fix' rebuild it from what is left
# It does not say what a file was, or where the patch is.
$ sed '0,/before:/{/before:/d}' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/custom/001-x.patch  (patch 001-x, nothing, now nothing)
>             it cannot be applied: '.nanoclaw/state.yaml' has no record of 'a.txt' before it; restore it from a copy of the project
$ nanoclaw customize apply 001
? 2
2> error: patch '001-x': the state does not record 'a.txt' before and after it
2> hint: everything is as it was before
$ sed '/patch_file:/d' kept/state.yaml > .nanoclaw/state.yaml; nanoclaw verify
? 1
> 11 files checked: 0 changed by you, 1 damaged
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/state.yaml  (patch, nothing, now nothing)
>             it cannot be applied: its entry has no 'patch_file'; restore it from a copy of the project
# v0.1 kept neither hashes nor contents: the patch must be there, and be one.
$ printf 'core_version: 1.0.0\ncustom_modifications:\n- {description: x, patch_file: .nanoclaw/custom/001-x.patch}\n' > .nanoclaw/state.yaml; nanoclaw verify
? 1
> 7 files checked: 2 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now 27dd8ed44a83)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
$ echo '@@ nonsense' > .nanoclaw/custom/001-x.patch; nanoclaw verify
? 1
> 7 files checked: 2 changed by you, 1 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now 27dd8ed44a83)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   damaged   .nanoclaw/custom/001-x.patch  (patch 001-x, nothing, now nothing)
>             it cannot be applied: .nanoclaw/custom/001-x.patch:1: there is no change in the patch; restore it from a copy of the project
$ rm .nanoclaw/custom/001-x.patch; nanoclaw verify
? 1
> 7 files checked: 2 changed by you, 1 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (core, 2c8b08da5ce6, now 27dd8ed44a83)
>   deleted   b.txt  (core, 2c8b08da5ce6, now nothing)
>
> damaged: nanoclaw's own files
> ('nanoclaw doctor --fix' repairs what it can):
>   missing   .nanoclaw/custom/001-x.patch  (patch 001-x, nothing, now nothing)
>             restore it from a copy of the project
