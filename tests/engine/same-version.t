# the same version again is nothing to do
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
adds: [a]
test: echo ran >> ran
-- skills/a/add/a --
a
== run ==
$ nanoclaw -q skill apply a
> a 1.0.0 applied
$ cp .nanoclaw/state.yaml before
$ nanoclaw skill apply a
> a 1.0.0 is already applied
$ nanoclaw --json skill apply a
> {
>   "backupPending": false,
>   "files": [],
>   "mergeConflicts": [],
>   "nothingToDo": true,
>   "reached": true,
>   "skill": "a",
>   "success": true,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": []
> }
$ cmp before .nanoclaw/state.yaml && rm before
== after ==
-- a --
a
-- ran --
ran
