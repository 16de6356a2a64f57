# changes that a person wants to leave unrecorded are merged, and still unrecorded
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/one/SKILL.md --
# one
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6 one
a 7
a 8
a 9
a 10
a 11
a 12
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^a 11$/a 11 mine/' p/a.txt
$ nanoclaw -C p --yes update ../new --on-drift abort
? 1
2> error: 'a.txt' changed, and the changes are not recorded; nothing was done
2> hint: 'nanoclaw diff' shows the changes; '--on-drift record' records them, '--on-drift continue' leaves them unrecorded
$ nanoclaw -C p --yes update ../new --on-drift continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ nanoclaw -C p diff --by a.txt
> a.txt
> core   1  a 1 core
>        2  a 2
>        3  a 3
>        4  a 4
>        5  a 5
> one    6  a 6 one
> core   7  a 7
>        8  a 8
>        9  a 9
>       10  a 10
> you   11  a 11 mine
> core  12  a 12
>   10 core, 1 skill one, 1 you
$ nanoclaw -C p status
> core 0.6.0
>   one 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ nanoclaw -C p -q skill remove one --on-drift continue
> one 1.0.0 removed
$ cat p/a.txt
> a 1 core
> a 2
> a 3
> a 4
> a 5
> a 6
> a 7
> a 8
> a 9
> a 10
> a 11 mine
> a 12
$ nanoclaw -C p status
> core 0.6.0
>
> your unrecorded changes:
>   edited    a.txt
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1 core
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11 mine
a 12
