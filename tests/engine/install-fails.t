# an install that fails leaves everything as it was
unlisted: .nanoclaw
leftover: .nanoclaw/kept
ignore: node_modules/**
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- bin/npm [755] --
#!/bin/sh
case $* in
*offline*) rm -rf node_modules/is-number; exit 0 ;;
esac
mkdir -p node_modules/is-number
echo half >package-lock.json
echo 'npm error code ETARGET'
exit 1
-- node_modules/other/package.json --
{"version": "1.0.0"}
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
-- skills/number/add/number.txt --
7
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
$! PATH="$PWD/bin:$PATH" nanoclaw skill apply number
? 1
2> warning: 'node_modules' was brought back from the cache of npm
2> error: installing the dependencies failed with exit code 1: npm install --no-audit --no-fund
2> npm error code ETARGET
2> hint: everything is as it was before
$ PATH="$PWD/bin:$PATH" nanoclaw --json skill apply number
? 1
> {
>   "error": "installing the dependencies failed with exit code 1: npm install --no-audit --no-fund\nnpm error code ETARGET",
>   "hint": "everything is as it was before",
>   "success": false
> }
2> warning: 'node_modules' was brought back from the cache of npm
2> error: installing the dependencies failed with exit code 1: npm install --no-audit --no-fund
2> npm error code ETARGET
2> hint: everything is as it was before
