# an installation is built aside: the same files, and one that stands by itself
unlisted: p copy
recover: nanoclaw -C copy status
-- copy/ --
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
four
five
six
seven
eight
-- p/run [755] --
#!/bin/sh
-- p/old.txt --
to be renamed
-- p/gone/last.txt --
to be deleted
-- p/link -> a.txt --
-- p/package.json --
{
  "name": "p",
  "version": "1.0.0"
}
-- p/.gitignore --
*.log
-- p/debug.log --
no part of the core
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [tool]
modifies: [a.txt]
file_ops:
  - {type: rename, from: old.txt, to: new.txt}
  - {type: delete, path: gone/last.txt}
structured: {npm_dependencies: {xx: "^1.0.0"}}
test: sh skills/x/tests/x.sh
-- p/skills/x/add/tool [755] --
#!/bin/sh
echo tool
-- p/skills/x/modify/a.txt --
ONE
two
three
four
five
six
seven
eight
-- p/skills/x/tests/x.sh --
test "$(./tool)" = tool && test -f new.txt && test ! -e old.txt
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
structured: {npm_dependencies: {yy: "^2.0.0"}}
-- p/skills/y/modify/a.txt --
one
two
three
four
five
six
seven
EIGHT
== run ==
$ cd p; nanoclaw -q skill apply x --no-install 2>/dev/null; sed -i s/five/FIVE/ a.txt; nanoclaw -q customize start 'in between' --skill x --on-drift record; echo mine >>new.txt; nanoclaw -q customize commit; nanoclaw -q skill apply y --no-install 2>/dev/null; nanoclaw verify
> x 1.0.0 applied
> your changes are recorded as 001-changes-to-a-txt
> recorded as x-in-between
> y 1.0.0 applied
> 26 files checked: all as recorded
$! nanoclaw -C p replay --into ../copy --no-install
> 2 skills and 2 patches replayed: 6 files are as recorded
> 1 test passed
> the installation is in '[dir]/copy'
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ diff -r --no-dereference -x .nanoclaw p copy; stat -c '%A %n' copy/*; ls copy/gone
> Only in p: debug.log
> -rw-r--r-- copy/VERSION
> -rw-r--r-- copy/a.txt
> drwxr-xr-x copy/gone
> lrwxrwxrwx copy/link
> -rw-r--r-- copy/new.txt
> -rw-r--r-- copy/package.json
> -rwxr-xr-x copy/run
> drwxr-xr-x copy/skills
> -rwxr-xr-x copy/tool
$ nanoclaw -C copy verify; nanoclaw -C copy status; nanoclaw -C copy --json replay --no-install --no-test
> 26 files checked: all as recorded
> core 1.0.0
>   x 1.0.0
>   y 1.0.0
>   x-in-between (custom patch)
>   001-changes-to-a-txt (custom patch)
> {
>   "differences": [],
>   "dryRun": false,
>   "files": 6,
>   "nothingToDo": true,
>   "patches": 2,
>   "skills": 2,
>   "success": true,
>   "testsRun": 0,
>   "untrackedChanges": [],
>   "warnings": []
> }
$ nanoclaw -C copy -q --yes skill remove x --no-install 2>/dev/null; cat copy/a.txt; nanoclaw -C copy verify
> x 1.0.0 removed
> one
> two
> three
> four
> FIVE
> six
> seven
> EIGHT
> 20 files checked: all as recorded
