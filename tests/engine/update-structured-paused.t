# a pause leaves no change of the person's in files that skills contribute to
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
-- p/package.json --
{
  "name": "x",
  "version": "0.5.0",
  "dependencies": {
    "aa": "^1.0.0"
  }
}
-- p/.env.example --
A=1
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt]
structured:
  npm_dependencies: {one: "^1.0.0"}
  env_additions: [ONE_KEY]
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
-- new/package.json --
{
  "name": "x",
  "version": "0.6.0",
  "dependencies": {
    "aa": "^1.1.0",
    "bb": "1.0.0"
  }
}
-- new/.env.example --
A=2
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one --no-install
> one 1.0.0 applied
$ nanoclaw -C p -q --yes update ../new --no-install
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^[<|=>]/d' -e '/^a 5$/d' p/a.txt
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ cat p/package.json p/.env.example
> {
>   "name": "x",
>   "version": "0.6.0",
>   "dependencies": {
>     "aa": "^1.1.0",
>     "bb": "1.0.0",
>     "one": "^1.0.0"
>   }
> }
> A=2
>
> # Skill: one
> ONE_KEY=
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ nanoclaw -C p diff
$ nanoclaw -C p -q replay --into ../again --no-install
$ cmp p/package.json again/package.json
$ cmp p/.env.example again/.env.example
$ rm -r again
$ nanoclaw -C p -q undo; rm -r p/.nanoclaw/hunks p/.nanoclaw/rr-cache
# An edit during the pause is still a change, and stays.
$ nanoclaw -C p -q --yes update ../new --no-install
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^[<|=>]/d' -e '/^a 5$/d' p/a.txt
$ echo MINE=1 >> p/.env.example
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ cat p/.env.example
> A=2
> MINE=1
>
> # Skill: one
> ONE_KEY=
$ nanoclaw -C p verify
? 1
> 11 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    .env.example  (skill one, 643781be28d6, now 48aa16a2a581)
$ nanoclaw -C p diff
> diff --git a/.env.example b/.env.example
> index 70d473135fed22b0d748953d040d275d6bcfd1b4..0e598d207f1bce0316e68db9f2318ac54e220a56 100644
> --- a/.env.example
> +++ b/.env.example
> @@ -1,4 +1,5 @@
>  A=2
> +MINE=1
>  
>  # Skill: one
>  ONE_KEY=
