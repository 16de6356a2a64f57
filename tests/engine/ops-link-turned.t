# a link that leads elsewhere than the core's is a decision, and abort brings it back
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- two -> nowhere --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: two}]
== run ==
$ nanoclaw -q init
$ ln -sf mine two
$! nanoclaw skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>   DECISION  two
>
> To resolve:
>   two: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ rm two
$! nanoclaw abort
> everything is as it was before 'skill apply'
$ readlink two
> mine
== after ==
-- two -> mine --
