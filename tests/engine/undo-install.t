# dependencies of an undone operation are uninstalled, and the lockfile is the old one
unlisted: .nanoclaw
leftover: .nanoclaw/kept
ignore: node_modules/** node_modules
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- package-lock.json --
{}
-- install --
# Writes into the files that it finds.
mkdir -p node_modules
if grep -q is-number package.json; then
	mkdir -p node_modules/is-number
	echo '{"version": "7.0.3"}' >node_modules/is-number/package.json
	echo '{"is-number": "7.0.3"}' >package-lock.json
else
	rm -rf node_modules/is-number
	echo '{"other": "layout"}' >package-lock.json
fi
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
adds: [number.txt]
structured:
  npm_dependencies:
    is-number: ^7.0.0
-- skills/number/add/number.txt --
7
== run ==
$ nanoclaw -q init
$ cp -a . "$TMPDIR/was"
# The folder was not there before: it goes.
$ NANOCLAW_INSTALL='sh install' nanoclaw -q skill apply number
> number 1.0.0 applied
$ NANOCLAW_INSTALL=false nanoclaw undo; test -e node_modules
? 1
> 'skill apply number' is undone
>   removed   number.txt
>   restored  package-lock.json
>   restored  package.json
$ diff -r -x index -x redo "$TMPDIR/was" .
# It was there: what the operation installed goes.
$ mkdir -p node_modules/mine
$ NANOCLAW_INSTALL='sh install' nanoclaw -q skill apply number; ls node_modules
> number 1.0.0 applied
> is-number
> mine
$ NANOCLAW_INSTALL=false nanoclaw undo
? 1
2> error: installing the dependencies failed with exit code 1: false
2> hint: everything is as it was before, except 'node_modules': run 'npm ci'
$ NANOCLAW_INSTALL='sh install' nanoclaw undo --dry-run
> would undo 'skill apply number'
>   removed   number.txt
>   restored  package-lock.json
>   restored  package.json
$! NANOCLAW_INSTALL='sh install' nanoclaw undo
> 'skill apply number' is undone
>   removed   number.txt
>   restored  package-lock.json
>   restored  package.json
$ ls node_modules; rm -r node_modules; diff -r -x index -x kept -x redo "$TMPDIR/was" .
> mine
# Nobody installs.
$ mkdir -p node_modules/mine
$ NANOCLAW_INSTALL='sh install' nanoclaw -q skill apply number
> number 1.0.0 applied
$ nanoclaw undo --no-install; ls node_modules
> 'skill apply number' is undone
>   removed   number.txt
>   restored  package-lock.json
>   restored  package.json
> is-number
> mine
2> warning: dependencies have changed, and are not installed: run 'npm install'
