# dependencies are installed once, and lockfile and versions are recorded
# ending: a removal without an install leaves the lockfile as npm wrote it
unlisted: .nanoclaw
leftover: .nanoclaw/kept
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- package-lock.json --
{}
-- fake/install --
mkdir -p node_modules/is-number
echo '{"version": "7.0.3"}' >node_modules/is-number/package.json
echo '{"is-number": "7.0.3"}' >package-lock.json
echo installing
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
adds:
  - number.txt
modifies: []
structured:
  npm_dependencies:
    is-number: ^7.0.0
test: test -e node_modules/is-number/package.json
-- skills/number/add/number.txt --
7
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
$ nanoclaw skill apply number --dry-run
> number 1.0.0 would be applied
>   added     number.txt
>   merged    package.json
> dependencies would be installed with npm
> would run the install of number: npm install --no-audit --no-fund
> would run the test of number: test -e node_modules/is-number/package.json
$ nanoclaw skill apply number --dry-run --json
> {
>   "backupPending": false,
>   "commands": [
>     {
>       "command": "npm install --no-audit --no-fund",
>       "kind": "install",
>       "skill": "number"
>     },
>     {
>       "command": "test -e node_modules/is-number/package.json",
>       "kind": "test",
>       "skill": "number"
>     }
>   ],
>   "dryRun": true,
>   "files": [
>     {
>       "outcome": "added",
>       "path": "number.txt"
>     },
>     {
>       "outcome": "merged",
>       "path": "package.json"
>     }
>   ],
>   "install": {
>     "manager": "npm",
>     "ran": false,
>     "versions": {}
>   },
>   "mergeConflicts": [],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "number",
>   "success": true,
>   "untrackedChanges": [],
>   "version": "1.0.0",
>   "warnings": []
> }
$! NANOCLAW_INSTALL='sh fake/install' nanoclaw skill apply number
> number 1.0.0 applied
>   added     number.txt
>   merged    package.json
>   merged    package-lock.json
> installed with npm: is-number 7.0.3
> 1 test passed
$ grep installed: .nanoclaw/state.yaml
>       installed: 7.0.3
$ nanoclaw status
> core 1.0.0
>   number 1.0.0
== after ==
-- number.txt --
7
-- package.json --
{
  "name": "sample",
  "version": "1.0.0",
  "dependencies": {
    "is-number": "^7.0.0"
  }
}
-- package-lock.json --
{"is-number": "7.0.3"}
-- node_modules/is-number/package.json --
{"version": "7.0.3"}
