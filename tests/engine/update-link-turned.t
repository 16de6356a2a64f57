# a core that turns a link into a file stays in the record below two patches of the link
unlisted: .nanoclaw
-- VERSION --
0.5.0
-- l -> VERSION --
-- other --
o
-- third --
t
-- updates/new/VERSION --
0.6.0
-- updates/new/l --
the core's
-- updates/new/other --
o
-- updates/new/third --
t
== run ==
$ nanoclaw -q init; ln -sfn other l; nanoclaw -q customize record one; ln -sfn third l; nanoclaw -q customize record two
> recorded as 001-one
> recorded as 002-two
$ nanoclaw -q --yes update updates/new
? 3
> Update paused: 0.5.0 → 0.6.0
>
>   Custom patches that do not apply cleanly:
>     001-one
>
> To resolve:
>   l: the new version is in l.from-core; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ mv l.from-core l; echo mine >>l; nanoclaw -q continue
> Core updated: 0.5.0 → 0.6.0
# Without the record, this would bring the link of 001 back.
$ nanoclaw -q customize remove two
? 3
> 002-two paused
>
> To resolve:
>   l: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i '/^</d; /^|/,$d' l; nanoclaw -q continue; nanoclaw verify; cat l
> 002-two removed
> 11 files checked: all as recorded
> the core's
> mine
== after ==
-- VERSION --
0.6.0
-- l --
the core's
mine
