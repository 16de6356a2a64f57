# unrecorded changes are not part of a session, even if its skill renames the file
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- b.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: b.txt, to: new/b.txt}]
== run ==
$ nanoclaw -q init; echo mine >>b.txt
$ nanoclaw -q skill apply x --on-drift continue --customize more
> x 1.0.0 applied
> Now make your changes, then run 'nanoclaw customize commit'.
$ echo more >more.txt; nanoclaw -q customize commit; grep ^diff .nanoclaw/custom/*.patch; nanoclaw status
> recorded as x-more
> diff --git a/more.txt b/more.txt
> core 1.0.0
>   x 1.0.0
>   x-more (custom patch)
>
> your unrecorded changes:
>   edited    new/b.txt
== after ==
-- !b.txt --
-- more.txt --
more
-- new/b.txt --
one
two
three
mine
