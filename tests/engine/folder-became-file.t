# abort works, and loses nothing, where a folder has become something else
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- lib/f --
one
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [lib/f]
-- skills/a/modify/lib/f --
ONE
== run ==
$ nanoclaw -q init
$ echo mine > lib/f
$ nanoclaw -q skill apply --on-drift continue a
? 3
> ...
$ mv lib elsewhere; echo a file now > lib
$ nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: [..]lib/f[..]
$ cat .nanoclaw/kept/lib/f
> mine
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   type      lib/f
$ rm -r elsewhere lib; mkdir lib; echo one > lib/f
