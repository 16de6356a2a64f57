# a custom patch in a file that has a conflict is named, and fits
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
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
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 one
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/VERSION --
0.6.0
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5 core
a 6
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
$ sed -i 's/^a 10$/a 10 mine/' p/a.txt
$ nanoclaw -C p update ../new --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  2 files modified (VERSION, a.txt)
>
>   Custom patches in files that change:
>     001-changes-to-a-txt
>
>   Conflicts:
>     a.txt: you or a resolver must resolve it
>
>   Your unrecorded changes would be recorded as 001-changes-to-a-txt.
$ nanoclaw -C p -q --yes update ../new
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^[<|=>]/d' -e '/^a 5$/d' p/a.txt
$ nanoclaw -C p continue
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
>
>   Custom patches re-applied:
>     ✓ 001-changes-to-a-txt
$ nanoclaw -C p verify
> 10 files checked: all as recorded
