# links and execute bits of the new core, with and without local changes
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/l1 -> VERSION --
-- p/l2 -> VERSION --
-- p/l3 -> VERSION --
-- p/f --
f
-- p/tool [755] --
t
-- p/other --
o
-- new/l1 -> f --
-- new/l2 -> f --
-- new/l3 --
three
-- new/f -> VERSION --
-- new/tool [755] --
t 2
-- new/other [755] --
o
== run ==
$ nanoclaw -C p -q init
$ ln -sfn other p/l2
$ chmod a-x p/tool
$ nanoclaw -C p --yes update ../new --on-drift continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   l2: the new version is in l2.from-core; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ ls p
> VERSION
> f
> l1
> l2
> l2.from-core
> l3
> other
> tool
$ mv p/l2.from-core p/l2
$ nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ nanoclaw -C p status
> core 0.6.0
>
> your unrecorded changes:
>   mode      tool
== after ==
-- p/VERSION --
0.6.0
-- p/f -> VERSION --
-- p/l1 -> f --
-- p/l2 -> f --
-- p/l3 --
three
-- p/other [755] --
o
-- p/tool --
t 2
