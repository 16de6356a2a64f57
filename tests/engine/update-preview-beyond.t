# a preview goes on where the update would pause: it names the conflicts of later skills, too, and what they do
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/a.txt --
a
-- p/b.txt --
b
-- p/d.txt --
d
-- p/package.json --
{
  "dependencies": {
    "left": "^1.0.0"
  }
}
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/one/modify/a.txt --
a one
-- p/skills/two/manifest.yaml --
skill: two
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- p/skills/two/modify/b.txt --
b two
-- new/VERSION --
2.0.0
-- new/a.txt --
a core
-- new/b.txt --
b
-- new/d.txt --
d
-- new/package.json --
{
  "dependencies": {
    "left": "^2.0.0"
  }
}
-- new/migrations.yaml --
- since: 2.0.0
  skill: old
  description: keeps the old way
-- new/skills/old/manifest.yaml --
skill: old
version: 1.0.0
core_version: 2.0.0
adds: [old.txt]
structured:
  npm_dependencies:
    right: ^1.0.0
-- new/skills/old/add/old.txt --
old
-- new/skills/two/manifest.yaml --
skill: two
version: 2.0.0
core_version: 1.0.0
modifies: [b.txt]
file_ops: [{type: delete, path: d.txt}]
-- new/skills/two/modify/b.txt --
b two again
== run ==
$ nanoclaw -C p -q skill apply one two; echo mine > p/b.txt; echo mine > p/d.txt
> one 1.0.0 applied
> two 1.0.0 applied
$! nanoclaw -C p update ../new --preview
> Update available: 1.0.0 → 2.0.0
>
>   Source:  2 files modified (VERSION, a.txt), 1 file added (old.txt)
>   Skills:  1 new skill added, 1 skill updated
>   Config:  1 file modified (package.json), 1 file added (migrations.yaml)
>
>   Migrations (auto-applied to preserve your setup):
>     + old@1.0.0 (keeps the old way)
>
>   Skill updates:
>     two 1.0.0 → 2.0.0
>
>   Conflicts:
>     a.txt: you or a resolver must resolve it
>     d.txt, skill two: the skill deletes it; keep it or delete it
>     b.txt, skill two: you or a resolver must resolve it
>
> dependencies would be installed with npm
> would run the install of old: npm install --no-audit --no-fund
>
>   Your unrecorded changes would be recorded as 001-changes-to-b-txt-and-1-more-file.
$ nanoclaw -C p --json update ../new --preview | python3 -c 'import json, sys; d = json.load(sys.stdin); print(*sorted(d["changes"])); print(*[s["skill"] for s in d["skills"] if s["reached"]]); print(d["mergeConflicts"])'
> VERSION a.txt migrations.yaml old.txt package.json skills/old/add/old.txt skills/old/manifest.yaml skills/two/manifest.yaml skills/two/modify/b.txt
> old two
> ['a.txt', 'd.txt', 'b.txt']
$ nanoclaw -C p --yes update ../new
? 3
> your changes are recorded as 001-changes-to-b-txt-and-1-more-file
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo a > p/a.txt; nanoclaw -C p continue
? 3
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   d.txt: two deletes it, and changes would be lost; leave it there to keep it, or delete it
>   b.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -C p -q abort
== after ==
-- p/a.txt --
a one
-- p/b.txt --
mine
-- p/d.txt --
mine
