# a paused operation installs nothing; continue does, once for the whole batch
unlisted: .nanoclaw a.txt package.json runs.log
-- VERSION --
1.0.0
-- a.txt --
one
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- fake/install --
echo run >>runs.log
-- .gitignore --
runs.log
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
adds: []
modifies:
  - a.txt
structured:
  npm_dependencies:
    is-number: ^7.0.0
-- skills/number/modify/a.txt --
one of number
-- skills/odd/manifest.yaml --
skill: odd
version: 1.0.0
core_version: 1.0.0
adds: []
modifies: []
structured:
  npm_dependencies:
    is-odd: ^3.0.0
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
$ echo mine >a.txt
$ NANOCLAW_INSTALL='sh fake/install' nanoclaw skill apply number odd --on-drift continue
? 3
> number 1.0.0 paused
>   CONFLICT  a.txt
> odd 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ test ! -e runs.log
$ echo both >a.txt
$ NANOCLAW_INSTALL='sh fake/install' nanoclaw continue
> number 1.0.0 applied
> odd 1.0.0 applied
>   merged    package.json
> installed with npm
$ cat runs.log
> run
$ nanoclaw status
> core 1.0.0
>   number 1.0.0
>   odd 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
