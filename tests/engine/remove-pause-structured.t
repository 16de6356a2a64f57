# while a removal is paused, structured files that it has yet to write are not called changed
unlisted: **
-- VERSION --
1.0.0
-- .env.example --
CORE=1
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
structured:
  env_additions: [X]
  system_packages: [jq]
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q skill apply x; echo mine >> x.txt; nanoclaw -q skill remove x --on-drift continue
? 3
> x 1.0.0 applied
> x 1.0.0 paused
>
> To resolve:
>   x.txt: x deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>
> 'skill remove' is paused; to resolve:
>   x.txt  (x deletes it: keep it or delete it)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> 4 files checked: all as recorded
# One that is edited now is.
$ cp .env.example was; echo MINE=1 >> .env.example; nanoclaw -q status; nanoclaw -q verify; mv was .env.example
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    .env.example
>
> 'skill remove' is paused; to resolve:
>   x.txt  (x deletes it: keep it or delete it)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> 4 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    .env.example  (core, 4938d4b5af66, now 25d6fe9d0288)
$ nanoclaw -q continue; nanoclaw status; nanoclaw verify; cat .env.example
> x 1.0.0 removed
> core 1.0.0
> 4 files checked: all as recorded
> CORE=1
