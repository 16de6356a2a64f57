# an undo installs again, and package.json and the lockfile are as before, whatever the package manager writes
ignore: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- package-lock.json --
{"locked": "before"}
-- fake/install --
echo '{"locked": "by the manager"}' >package-lock.json
echo ran >>runs.log
echo '{"name": "sample", "by": "the manager"}' >package.json
-- .gitignore --
runs.log
-- node_modules/there/index.js --
there
-- fake/nothing --
true
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies:
    is-number: ^7.0.0
== run ==
$ nanoclaw -q init
$ NANOCLAW_INSTALL='sh fake/nothing' nanoclaw -q skill apply number; grep number package.json
> number 1.0.0 applied
>     "is-number": "^7.0.0"
$ NANOCLAW_INSTALL='sh fake/install' nanoclaw undo
> 'skill apply number' is undone
>   restored  package.json
$ cat runs.log package.json package-lock.json; rm runs.log; nanoclaw status
> ran
> {
>   "name": "sample",
>   "version": "1.0.0"
> }
> {"locked": "before"}
> core 1.0.0
