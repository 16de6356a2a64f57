# the update package of a release has renames, deletions and old names, and leads to the new core
ignore: data data/**
unlisted: .nanoclaw .nanoclaw/**
-- VERSION --
0.2.0
-- .nanoclaw-meta/migration.md --
Files were moved.
-- .nanoclaw-meta/path_remap.yaml --
src/ancient.txt: src/run.sh
-- lib/moved.txt --
this file was moved
and is otherwise the same
as it has been before
-- lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
-- src/b.txt --
a was renamed to b
since b was renamed to c
-- src/c.txt --
b was renamed to c
and nothing else happened
-- src/one.txt --
one half
-- src/new.txt --
new
-- src/run.sh [755] --
echo run
-- data/old/VERSION --
0.1.0
-- data/old/src/moved.txt --
this file was moved
and is otherwise the same
as it has been before
-- data/old/src/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here
and not the other
-- data/old/src/a.txt --
a was renamed to b
since b was renamed to c
-- data/old/src/b.txt --
b was renamed to c
and nothing else happened
-- data/old/src/split.txt --
one half
the other half, which is gone for good
and has some more lines
than the first half had
-- data/old/src/run.sh --
echo run
-- data/old/src/gone.txt --
nobody
-- data/old/skills/x/SKILL.md --
-- data/old/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 0.1.0
modifies: [src/changed.txt]
test: grep -q skill src/changed.txt
-- data/old/skills/x/modify/src/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here
and not the other
but for the skill
-- skills/x/SKILL.md --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 0.2.0
modifies: [lib/changed.txt]
test: grep -q skill lib/changed.txt
-- skills/x/modify/lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
but for the skill
-- skills/x/modify/lib/changed.txt.intent.md --
## What changed
One line.
== run ==
$ nanoclaw release
? 2
2> error: the core before 0.2.0 is not known: no tag of the repository is a version below it
2> hint: name it: 'nanoclaw release --from REF', a folder or a git ref; a first release has nothing to compare with: 'nanoclaw matrix run', and then tag it
$ nanoclaw release --from data/nowhere
? 2
2> error: 'data/nowhere' is neither a folder nor a commit that the project's repository has
2> hint: name an update package, a folder with the new core, or a tag or branch that you have fetched
$ nanoclaw release --from data/old -j 0
? 2
2> error: '-j' takes a number from 1 to 256, not '0'
# The package has changed, and people could not tell.
$ nanoclaw release --from data/old
? 1
>   ✓ version      0.2.0, and 0.1.0 before
>   ✓ packages     1
>   ✓ alone        1
>   ✓ pairs        0
>   ✓ stacks       0
>   ✓ migrations   0 breaking changes, 0 migrations
>   ✓ resolutions  0 shipped
>   ✗ update       15 files, tried with 1 skill and 0 combinations of core 0.1.0
>
> not ready: 2 things are missing
>
> update: the package of 'skills/x' has changed since core 0.1.0, and its version has not: people keep the old one
>   -> raise 'version' in skills/x/manifest.yaml
>
> update: an installation of 0.1.0 with x: the update fails: the test of skill 'x' failed with exit code 2: grep -q skill src/changed.txt
> grep: src/changed.txt: No such file or directory
>   -> everything is as it was before
$ sed -i 's/^version: 1.0.0/version: 1.0.1/' skills/x/manifest.yaml
$ nanoclaw release --from data/old --to 0.3.0
? 1
>   ✗ version      0.3.0, and 0.1.0 before
>   ✓ packages     1
>   ✓ alone        1
>   ✓ pairs        0
>   ✓ stacks       0
>   ✓ migrations   0 breaking changes, 0 migrations
>   ✓ resolutions  0 shipped
>
> not ready: 1 thing is missing
>
> version: the new core says that it is 0.2.0
>   -> write 0.3.0 to VERSION, package.json or meson.build
$ nanoclaw release --from data/old
>   ✓ version      0.2.0, and 0.1.0 before
>   ✓ packages     1
>   ✓ alone        1, 1 of them unchanged
>   ✓ pairs        0
>   ✓ stacks       0
>   ✓ migrations   0 breaking changes, 0 migrations
>   ✓ resolutions  0 shipped
>   ✓ update       15 files, tried with 1 skill and 0 combinations of core 0.1.0
>
> ready: core 0.2.0 can be released
> updates/0.1.0-to-0.2.0 is written
$ cat updates/0.1.0-to-0.2.0/file_ops.yaml updates/0.1.0-to-0.2.0/path_remap.yaml
> file_ops:
>   - path: src/a.txt
>     type: delete
>   - path: src/gone.txt
>     type: delete
>   - path: src/split.txt
>     type: delete
>   - from: src/changed.txt
>     to: lib/changed.txt
>     type: rename
>   - from: src/moved.txt
>     to: lib/moved.txt
>     type: rename
>   - path: skills/x/modify/src/changed.txt
>     type: delete
> path_remap:
>   src/ancient.txt: src/run.sh
$ cp -r data/old data/home
$ nanoclaw -C data/home -q init
$ nanoclaw -C data/home -q skill apply x
> x 1.0.0 applied
$ nanoclaw -C data/home --yes update "$PWD/updates"
> Core updated: 0.1.0 → 0.2.0
>   ✓ All patches applied
>
>   Skill updates:
>     ✓ x 1.0.0 → 1.0.1
>
>   ✓ All tests passing
$ cat data/home/lib/changed.txt
> this file was moved, too
> and it has changed
> in one of its lines
> which is this one here now
> and not the other
> but for the skill
# What an earlier call has written and is not true any more goes; what a person put there stays.
$ echo mine > updates/0.1.0-to-0.2.0/note.txt
$ rm src/new.txt
$ nanoclaw undo --list | sed 's/ .*release/ release/'
>  release core 0.2.0
$ nanoclaw release --from data/old | tail -n 1
> updates/0.1.0-to-0.2.0 is written
$ ls updates/0.1.0-to-0.2.0/files/src
> b.txt
> c.txt
> one.txt
> run.sh
$ nanoclaw -q undo
$ ls updates/0.1.0-to-0.2.0/files/src
> b.txt
> c.txt
> new.txt
> one.txt
> run.sh
$ echo new > src/new.txt
$ printf 0.1.0 > VERSION
$ nanoclaw release --from data/old
? 1
>   ✗ version      0.1.0, and 0.1.0 before
>   ✓ packages     1
>   ✗ alone        1
>   ✓ pairs        0
>   ✓ stacks       0
>   ✓ migrations   0 breaking changes, 0 migrations
>   ✓ resolutions  0 shipped
>
> not ready: 2 things are missing
>
> version: the new core is 0.1.0, but the previous one was 0.1.0
>   -> raise it in VERSION, package.json or meson.build
>
> alone: 0.1.0/x: failed: skill 'x' needs core 0.2.0 or newer, and this is 0.1.0
>   -> nanoclaw matrix run --only 0.1.0/x
== after ==
-- VERSION [no-newline] --
0.1.0
-- data/home/.nanoclaw-meta/migration.md --
Files were moved.
-- data/home/.nanoclaw-meta/path_remap.yaml --
src/ancient.txt: src/run.sh
-- data/home/VERSION --
0.2.0
-- data/home/lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
but for the skill
-- data/home/lib/moved.txt --
this file was moved
and is otherwise the same
as it has been before
-- data/home/skills/x/SKILL.md --
-- data/home/skills/x/manifest.yaml --
skill: x
version: 1.0.1
core_version: 0.2.0
modifies: [lib/changed.txt]
test: grep -q skill lib/changed.txt
-- data/home/skills/x/modify/lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
but for the skill
-- data/home/skills/x/modify/lib/changed.txt.intent.md --
## What changed
One line.
-- data/home/src/b.txt --
a was renamed to b
since b was renamed to c
-- data/home/src/c.txt --
b was renamed to c
and nothing else happened
-- data/home/src/new.txt --
new
-- data/home/src/one.txt --
one half
-- data/home/src/run.sh [755] --
echo run
-- skills/x/manifest.yaml --
skill: x
version: 1.0.1
core_version: 0.2.0
modifies: [lib/changed.txt]
test: grep -q skill lib/changed.txt
-- updates/0.1.0-to-0.2.0/file_ops.yaml --
file_ops:
  - path: src/a.txt
    type: delete
  - path: src/gone.txt
    type: delete
  - path: src/split.txt
    type: delete
  - from: src/changed.txt
    to: lib/changed.txt
    type: rename
  - from: src/moved.txt
    to: lib/moved.txt
    type: rename
  - path: skills/x/modify/src/changed.txt
    type: delete
-- updates/0.1.0-to-0.2.0/files/.nanoclaw-meta/migration.md --
Files were moved.
-- updates/0.1.0-to-0.2.0/files/.nanoclaw-meta/path_remap.yaml --
src/ancient.txt: src/run.sh
-- updates/0.1.0-to-0.2.0/files/VERSION --
0.2.0
-- updates/0.1.0-to-0.2.0/files/lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
-- updates/0.1.0-to-0.2.0/files/skills/x/manifest.yaml --
skill: x
version: 1.0.1
core_version: 0.2.0
modifies: [lib/changed.txt]
test: grep -q skill lib/changed.txt
-- updates/0.1.0-to-0.2.0/files/skills/x/modify/lib/changed.txt --
this file was moved, too
and it has changed
in one of its lines
which is this one here now
and not the other
but for the skill
-- updates/0.1.0-to-0.2.0/files/skills/x/modify/lib/changed.txt.intent.md --
## What changed
One line.
-- updates/0.1.0-to-0.2.0/files/src/b.txt --
a was renamed to b
since b was renamed to c
-- updates/0.1.0-to-0.2.0/files/src/c.txt --
b was renamed to c
and nothing else happened
-- updates/0.1.0-to-0.2.0/files/src/new.txt --
new
-- updates/0.1.0-to-0.2.0/files/src/one.txt --
one half
-- updates/0.1.0-to-0.2.0/files/src/run.sh [755] --
echo run
-- updates/0.1.0-to-0.2.0/migration.md --
Files were moved.
-- updates/0.1.0-to-0.2.0/note.txt --
mine
-- updates/0.1.0-to-0.2.0/path_remap.yaml --
path_remap:
  src/ancient.txt: src/run.sh
