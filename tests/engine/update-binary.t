# a binary file that both have changed: yours stays, and the new one is beside it
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- new/VERSION --
0.6.0
-- p/a.bin [hex] --
000102
-- p/b.bin [hex] --
000103
-- new/a.bin [hex] --
000104
-- new/b.bin [hex] --
000105
== run ==
$ nanoclaw -C p -q init
$ printf '\0mine' > p/a.bin
$! nanoclaw -C p --yes update ../new
? 3
> your changes are recorded as 001-changes-to-a-bin
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-a-bin
>
> To resolve:
>   a.bin: the new version is in a.bin.from-core; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ ls p
> VERSION
> a.bin
> a.bin.from-core
> b.bin
$ nanoclaw -C p continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     001-changes-to-a-bin
>
> To resolve:
>   a.bin: the new version is in a.bin.from-core; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: move 'a.bin.from-core' over 'a.bin', or delete it to keep yours
$ mv p/a.bin.from-core p/a.bin
$! nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-a-bin
2> warning: nothing is left of custom patch '001-changes-to-a-bin': it is no longer recorded; its file stays in '.nanoclaw/custom'
$ nanoclaw -C p verify
> 6 files checked: all as recorded
== after ==
-- p/VERSION --
0.6.0
-- p/a.bin [hex] --
000104
-- p/b.bin [hex] --
000105
