# in a core update no line of a lockfile is lost that a person, a patch or a skill has put in
unlisted: **
leftover: .nanoclaw/kept
ignore: data data/**
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample"
}
-- package-lock.json --
left 1.0.0
-- yarn.lock --
left 1.0.0
-- data/core/VERSION --
2.0.0
-- data/core/package.json --
{
  "name": "sample"
}
-- data/core/package-lock.json --
left 2.0.0
-- data/core/yarn.lock --
left 2.0.0
-- skills/pin/manifest.yaml --
skill: pin
version: 1.0.0
core_version: 1.0.0
modifies: [yarn.lock]
-- skills/pin/modify/yarn.lock --
left 1.0.0 of the skill
== run ==
$ nanoclaw -q --yes skill apply pin
> pin 1.0.0 applied
$ echo 'left 1.0.0 of mine' >package-lock.json
$ nanoclaw -q --yes update data/core --on-drift continue
? 3
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   package-lock.json: edit it, and remove the conflict markers
>   yarn.lock: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -q abort; echo 'left 1.0.0' >package-lock.json; nanoclaw -q customize start mine
$ echo 'left 1.0.0 of the patch' >package-lock.json; nanoclaw -q customize commit
> recorded as 001-mine
$ nanoclaw -q --yes update data/core | grep -c lock
> 2
$ grep -h ' of ' package-lock.json yarn.lock
> left 1.0.0 of the patch
> left 1.0.0 of the skill
