# a file that the new core adds where there is one: the same is fine, another is a conflict
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/x.txt --
x
-- new/x.txt --
x
-- new/same.txt --
same
-- new/other.txt --
core
-- new/by-skill.txt --
core
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
adds: [by-skill.txt]
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/add/by-skill.txt --
skill
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ echo same > p/same.txt
$ echo mine > p/other.txt
$ nanoclaw -C p --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   by-skill.txt: edit it, and remove the conflict markers
>   other.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat p/other.txt p/by-skill.txt
> <<<<<<< yours
> mine
> ||||||| core 0.5.0
> =======
> core
> >>>>>>> core 0.6.0
> <<<<<<< yours (one 1.0.0)
> skill
> ||||||| core 0.5.0
> =======
> core
> >>>>>>> core 0.6.0
$ echo both > p/other.txt
$ echo skill and core > p/by-skill.txt
$ nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ nanoclaw -C p status
> core 0.6.0
>   one 1.0.0
>
> your unrecorded changes:
>   edited    other.txt
$ nanoclaw -C p diff --by by-skill.txt
> by-skill.txt
> you (resolved)  1  skill and core
>   1 you (resolved)
$ nanoclaw -C p -q skill remove one --on-drift continue
> one 1.0.0 removed
$ cat p/by-skill.txt
> core
$ nanoclaw -C p status
> core 0.6.0
>
> your unrecorded changes:
>   edited    other.txt
== after ==
-- p/VERSION --
0.6.0
-- p/by-skill.txt --
core
-- p/other.txt --
both
-- p/same.txt --
same
