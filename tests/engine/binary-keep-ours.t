# a binary file changed by both: delete the skill's version to keep yours
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- logo [hex] --
00 01 02 0a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [logo]
-- skills/x/modify/logo [hex] --
00 01 03 0a
== run ==
$ nanoclaw -q init
$ printf '\000\011\011\n' > logo
$ nanoclaw skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>   CONFLICT  logo
>
> To resolve:
>   logo: the skill's version is in logo.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   logo: the skill's version is in logo.from-x; move it over yours, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
2> warning: move 'logo.from-x' over 'logo', or delete it to keep yours
$ rm logo.from-x
$ nanoclaw continue
> x 1.0.0 applied
$ nanoclaw status
> core 1.0.0
>   x 1.0.0
>
> your unrecorded changes:
>   edited    logo
== after ==
-- logo [hex] --
00 09 09 0a
