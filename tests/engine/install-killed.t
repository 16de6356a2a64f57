# after a kill in the middle of an install the next command leads back, and says what to type
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
-- fake/install --
mkdir -p node_modules/is-number
echo half >package-lock.json
kill -KILL $PPID
exec sleep 1000
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
$ ln -s /bin/false ~/unshare # without a sandbox, a command can kill us
$ PATH=~:$PATH NANOCLAW_INSTALL='exec sh fake/install' nanoclaw skill apply number
? 137
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
2> Killed
$ cat package-lock.json
> half
$ nanoclaw status
> core 1.0.0
2> warning: 'skill apply' was interrupted and has been rolled back
2> warning: 'package-lock.json' was changed by a command or later; that version is in '.nanoclaw/kept/package-lock.json'
2> warning: dependencies were being installed, and 'node_modules' may be incomplete: run 'npm ci'
$ cat .nanoclaw/kept/package-lock.json
> half
