# after an install that fails, modules count as brought back only if the lockfile is as it was
unlisted: .nanoclaw
ignore: node_modules/**
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- package-lock.json --
{}
-- bin/npm [755] --
#!/bin/sh
case $* in
*offline*) rm -f package-lock.json; mkdir package-lock.json; exit 0 ;;
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
$ nanoclaw -q init; PATH="$PWD/bin:$PATH" nanoclaw skill apply number
? 1
2> error: installing the dependencies failed with exit code 1: npm install --no-audit --no-fund
2> npm error code ETARGET
2> hint: everything is as it was before, except 'node_modules': run 'npm ci'
$ rmdir package-lock.json; echo '{}' >package-lock.json; nanoclaw status
> core 1.0.0
