# a new package can go into another folder, with a version and a description of its own
recover: nanoclaw status
-- VERSION --
2.3.0
-- src/a.txt --
one
== run ==
$! nanoclaw skill new hello --into tools/packs --version 0.2.0 --description 'Says hello'
> created tools/packs/hello
>
> Next:
>   edit tools/packs/hello/manifest.yaml and SKILL.md
>   nanoclaw skill check tools/packs/hello
>   nanoclaw skill apply tools/packs/hello --dry-run
$ nanoclaw skill check tools/packs/hello
> tools/packs/hello/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> tools/packs/hello/manifest.yaml:6:5: warning: 'hello.example.md' is the example from 'skill new': replace it with your own files
> 1 package checked: 0 errors, 2 warnings
== after ==
-- tools/packs/hello/SKILL.md --
---
name: hello
description: Says hello
---

# hello

Says hello.

<!-- author: what this skill is good for, and why it works this way -->

## Steps

1. Run `nanoclaw status`. If `hello` is listed, it is applied: say so, and stop.
2. Run `nanoclaw skill apply tools/packs/hello --dry-run`, and show the person what would change
   and which commands would run.
3. Ask the questions below, then run `nanoclaw skill apply tools/packs/hello`.
4. Exit code 3 is a conflict: merge the files that it lists, as the intent files in
   `modify/` say, and run `nanoclaw continue`; `nanoclaw abort` undoes everything.
   After any other failure nothing has changed: show the message.
5. Run `nanoclaw status`, and say what the person has now.

## Ask

- Apply the skill, with the changes and commands of step 2?
- If `nanoclaw status` lists unrecorded changes: record them as a patch
  (`--on-drift record`), or leave them as they are (`--on-drift continue`)?

<!-- author: what else to ask, and what there is to set up afterwards; or delete this -->
-- tools/packs/hello/add/hello.example.md --
# hello

An example of a file that a skill adds. Delete it, and its line under `adds` in
`manifest.yaml`, when there are files of your own.
-- tools/packs/hello/manifest.yaml --
skill: hello
version: 0.2.0
description: Says hello
core_version: 2.3.0
adds:
  - hello.example.md
test: sh tools/packs/hello/tests/hello.sh
-- tools/packs/hello/tests/hello.sh [755] --
#!/bin/sh
# Checks that the example exists. Replace this with a test of your own that fails
# without the skill.
set -eu

[ -f hello.example.md ] || {
	echo 'hello.example.md is missing'
	exit 1
}
