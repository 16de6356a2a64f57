# a skill that was updated is removed from below one that renames its file: the file is known, and whole
ignore: .nanoclaw skills
-- VERSION --
1.0.0
-- a.txt --
one
two
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/low/modify/a.txt --
one, with low
two
-- skills/high/manifest.yaml --
skill: high
version: 1.0.0
core_version: 1.0.0
file_ops:
  - type: rename
    from: a.txt
    to: moved/a.txt
== run ==
$ nanoclaw -q skill apply low
> low 1.0.0 applied
$ sed -i 's/^version: .*/version: 1.1.0/' skills/low/manifest.yaml
$ sed -i 's/low$/low again/' skills/low/modify/a.txt
$ nanoclaw -q skill update low
> low 1.1.0 (before: 1.0.0) applied
$ nanoclaw -q skill apply high
> high 1.0.0 applied
$ cat moved/a.txt
> one, with low again
> two
$! nanoclaw -q skill remove low --yes
> low 1.1.0 removed
$ cat moved/a.txt
> one
> two
$ nanoclaw verify
> 6 files checked: all as recorded
$ grep files_unsplit .nanoclaw/state.yaml
? 1
$ nanoclaw -q skill remove high --yes
> high 1.0.0 removed
$ nanoclaw verify
> 4 files checked: all as recorded
