# a lockfile that both the new core and an install changed is the new core's, and is installed again
ignore: node_modules node_modules/** data data/**
unlisted: **
leftover: .nanoclaw/kept
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0",
  "dependencies": {
    "left": "^1.0.0"
  }
}
-- package-lock.json --
left 1.0.0
-- data/install [755] --
#!/bin/sh
# Keeps the versions that the lockfile has, and adds what is missing.
mkdir -p node_modules
for name in $(sed -n 's/^    "\([^"]*\)": .*/\1/p' package.json); do
	grep "^$name " package-lock.json || echo "$name 1.0.0"
done >node_modules/lock
cat node_modules/lock >package-lock.json
-- data/core/VERSION --
2.0.0
-- data/core/package.json --
{
  "name": "sample",
  "version": "2.0.0",
  "dependencies": {
    "left": "^2.0.0"
  }
}
-- data/core/package-lock.json --
left 2.0.0
-- skills/right/manifest.yaml --
skill: right
version: 1.0.0
core_version: 1.0.0
adds: []
modifies: []
structured:
  npm_dependencies:
    right: ^1.0.0
== run ==
$ NANOCLAW_INSTALL=data/install nanoclaw -q --yes skill apply right && cat package-lock.json
> right 1.0.0 applied
> left 1.0.0
> right 1.0.0
# Without an install nobody would write the skill's part again.
$ nanoclaw -q --yes update data/core --no-install
? 3
> Update paused: 1.0.0 → 2.0.0
>
> To resolve:
>   package-lock.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ nanoclaw -q abort
$ NANOCLAW_INSTALL=data/install nanoclaw -q --yes update data/core && cat package-lock.json
> Core updated: 1.0.0 → 2.0.0
> left 2.0.0
> right 1.0.0
$ nanoclaw verify
> 7 files checked: all as recorded
$ NANOCLAW_INSTALL=data/install nanoclaw -q undo && cat package-lock.json
> left 1.0.0
> right 1.0.0
$ NANOCLAW_INSTALL=data/install nanoclaw -q --yes update data/core
> Core updated: 1.0.0 → 2.0.0
$ NANOCLAW_INSTALL=data/install nanoclaw -q --yes skill remove right && cat package-lock.json
> right 1.0.0 removed
> left 2.0.0
