# update packages in sequence: files, file operations, remap, guide, and resolutions that are used before anything else
unlisted: p/.nanoclaw
ignore: again
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
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
-- p/c.txt --
c
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
a 4 one
a 5
a 6
a 7
a 8
-- p/updates/0.5.0-to-0.6.0/migration.md --
# 0.6
-- p/updates/0.5.0-to-0.6.0/files/VERSION --
0.6.0
-- p/updates/0.5.0-to-0.6.0/files/a.txt --
a 1
a 2
a 3
a 4 core
a 5
a 6
a 7
a 8
-- p/updates/0.5.0-to-0.6.0/files/sub/b.txt --
b 1 core
b 2
b 3
b 4
b 5
b 6
b 7
b 8
-- p/updates/0.5.0-to-0.6.0/file_ops --
- type: rename
  from: b.txt
  to: sub/b.txt
-- p/updates/0.5.0-to-0.6.0/path_remap --
b.txt: sub/b.txt
lib/b.txt: sub/b.txt
-- p/updates/0.6.0-to-0.7.0/files/VERSION --
0.7.0
-- p/updates/0.6.0-to-0.7.0/file_ops.yaml --
- type: delete
  path: c.txt
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ cp -r p again
$ nanoclaw -C p --yes -q update updates/0.5.0-to-0.6.0 --to 0.6.0
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^<<</d' -e '/^|||/,/^===/d' -e '/^>>>/d' -e 's/^a 4 one/a 4 one and core/' -e '/^a 4 core/d' p/a.txt
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ nanoclaw -C p verify
> 11 files checked: all as recorded
$ grep -A3 path_remap p/.nanoclaw/state.yaml
> path_remap:
>   b.txt: sub/b.txt
>   lib/b.txt: sub/b.txt
> skills_system_version: 0.1.0
# The update ships the maintainer's recorded resolutions.
$ nanoclaw -C p resolution record
> recorded in .nanoclaw/resolutions/one@1.0.0+core@0.6.0
$ ls p/.nanoclaw/resolutions
> one@1.0.0+core@0.6.0
$ cp -r p/.nanoclaw/resolutions again/updates/0.5.0-to-0.6.0/
$ nanoclaw -C again update updates/0.5.0-to-0.6.0 --preview
> Update available: 0.5.0 → 0.6.0
>
>   Source:  3 files modified (VERSION, a.txt, sub/b.txt), 1 file renamed (sub/b.txt)
>
>   Conflicts:
>     a.txt: resolved as before
$ nanoclaw -C again --yes update updates/0.5.0-to-0.6.0 --to 0.7.0
? 3
> Update paused: 0.5.0 → 0.7.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat again/a.txt
> a 1
> a 2
> a 3
> <<<<<<< yours (one 1.0.0)
> a 4 one
> ||||||| core 0.5.0
> a 4
> =======
> a 4 core
> >>>>>>> core 0.7.0
> a 5
> a 6
> a 7
> a 8
$ nanoclaw -C again verify
> 7 files checked: all as recorded
$ ls again
> VERSION
> a.txt
> skills
> sub
> updates
# Step by step it comes to the same.
$ nanoclaw -C p -q --yes update updates/0.6.0-to-0.7.0
> Core updated: 0.6.0 → 0.7.0
$ diff -r -x .nanoclaw -x updates p again
? 1
> diff -r -x .nanoclaw -x updates p/a.txt again/a.txt
> 4c4,10
> < a 4 one and core
> ---
> > <<<<<<< yours (one 1.0.0)
> > a 4 one
> > ||||||| core 0.5.0
> > a 4
> > =======
> > a 4 core
> > >>>>>>> core 0.7.0
$ nanoclaw -C p --yes update updates/0.5.0-to-0.6.0
? 2
2> error: package '0.5.0-to-0.6.0' starts at core 0.5.0, and the current one is 0.7.0
== after ==
-- p/VERSION --
0.7.0
-- p/a.txt --
a 1
a 2
a 3
a 4 one and core
a 5
a 6
a 7
a 8
-- p/sub/b.txt --
b 1 core
b 2
b 3
b 4
b 5
b 6
b 7
b 8
-- !p/b.txt --
-- !p/c.txt --
