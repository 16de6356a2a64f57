# a package without faults is reported as good, and nothing is changed
-- VERSION --
0.1.0
-- src/hello.sh --
echo hello
-- skills/greet/SKILL.md --
# Greet
-- skills/greet/manifest.yaml --
skill: greet
version: 1.0.0
description: Greets in two languages
core_version: 0.1.0
adds: [src/de.sh]
modifies: [src/hello.sh]
-- skills/greet/add/src/de.sh --
echo hallo
-- skills/greet/modify/src/hello.sh --
echo hello
. src/de.sh
-- skills/greet/modify/src/hello.sh.intent.md --
## What changed
Greets in two languages.
## Key sections
- hello
## Invariants
- none
## Must-keep
- hello
== run ==
$ nanoclaw skill check skills/greet
> 1 package checked: no faults
$ nanoclaw skill check -v skills/greet/
> skills/greet: no faults
> 1 package checked: no faults
$ nanoclaw -q skill check skills/greet
$ nanoclaw --json skill check skills/greet
> {
>   "faults": [],
>   "folder": "skills/greet",
>   "skill": "greet",
>   "success": true
> }
$ nanoclaw skill check
> 1 package checked: no faults
$ nanoclaw skill check -v greet
> skills/greet: no faults
> 1 package checked: no faults
$ mkdir -p skills/other; sed 's/^skill: .*/skill: -/' skills/greet/manifest.yaml > skills/other/manifest.yaml
$ nanoclaw -q skill check other
? 2
> skills/other/manifest.yaml:1:8: error: block sequence entries are not allowed in this context
$ rm -r skills/other
