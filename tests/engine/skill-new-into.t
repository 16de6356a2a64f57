# a new package can go into another folder, with a version and a description of its own
recover: nanoclaw status
-- VERSION --
2.3.0
-- src/a.txt --
one
== run ==
$! nanoclaw skill new hello --into tools/packs --version 0.2.0 --description 'Says hello'
> made tools/packs/hello
>
> Next:
>   edit tools/packs/hello/manifest.yaml and SKILL.md
>   nanoclaw skill check tools/packs/hello
>   nanoclaw skill apply tools/packs/hello --dry-run
$ nanoclaw skill check tools/packs/hello
> 1 package checked: no faults
== after ==
-- tools/packs/hello/SKILL.md --
# hello

Says hello.

<!-- author: what somebody has who applies this, why it is done so, and what there is to set up afterwards -->
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
# The example is there. Put a test of your own in its place: one that fails
# without the skill.
set -eu

[ -f hello.example.md ] || {
	echo 'hello.example.md is missing'
	exit 1
}
