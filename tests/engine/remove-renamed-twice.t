# a new version of a skill renames a file once more: its removal gives back the first name, with all changes
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- z.txt --
1
2
3
4
5
-- skills/move/manifest.yaml --
skill: move
version: 1.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: z.txt, to: b.txt}
-- skills/late/manifest.yaml --
skill: late
version: 1.0.0
core_version: 1.0.0
modifies: [z.txt]
-- skills/late/modify/z.txt --
1
2
3
4
5 late
-- two/manifest.yaml --
skill: move
version: 2.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: z.txt, to: c.txt}
== run ==
$ nanoclaw -q skill apply move late
> move 1.0.0 applied
> late 1.0.0 applied
$ nanoclaw -q customize start mine; sed -i 's/^1$/& mine/' b.txt; nanoclaw -q customize commit
> recorded as 001-mine
$ cp two/manifest.yaml skills/move; nanoclaw skill update move; cat c.txt
> move 2.0.0 (before: 1.0.0) applied
>   renamed   b.txt -> c.txt
> 1 mine
> 2
> 3
> 4
> 5 late
$! nanoclaw skill remove move
> move 2.0.0 removed
>   renamed   c.txt -> z.txt
$ nanoclaw verify
> 10 files checked: all as recorded
$ nanoclaw undo; nanoclaw -q skill remove late
> 'skill remove move' is undone
>   restored  c.txt
>   removed   z.txt
> late 1.0.0 removed
$! nanoclaw skill remove move
> move 2.0.0 removed
>   renamed   c.txt -> z.txt
$ nanoclaw verify
> 9 files checked: all as recorded
== after ==
-- skills/move/manifest.yaml --
skill: move
version: 2.0.0
core_version: 1.0.0
file_ops:
  - {type: rename, from: z.txt, to: c.txt}
-- z.txt --
1 mine
2
3
4
5
