# what the package manager writes to its lockfile is named apart, and is not counted as missing
needs: git
ignore: .git .git/** node_modules node_modules/** data data/**
unlisted: **
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample"
}
-- .nanoclaw-meta/migration.md --
Nothing is different.
-- data/install [755] --
#!/bin/sh
# Keeps what the lockfile has, and adds the version that is the newest on that day.
mkdir -p node_modules
grep -s right package-lock.json || echo "right $(cat VERSION)" >package-lock.json
-- skills/right/SKILL.md --
-- skills/right/manifest.yaml --
skill: right
version: 1.0.0
description: depends on right
core_version: 1.0.0
adds: []
modifies: []
structured:
  npm_dependencies:
    right: ^1.0.0
== run ==
$ git init -q && git add . ':!data' && git commit -qm one && git tag v1.0.0 && echo 1.1.0 >VERSION
$ NANOCLAW_INSTALL=$PWD/data/install nanoclaw release -j 2
>   ✓ version      1.1.0, and 1.0.0 before
>   ✓ packages     1
>   ✓ alone        1
>   ✓ pairs        0
>   ✓ stacks       0
>   ✓ migrations   0 breaking changes, 0 migrations
>   ✓ resolutions  0 shipped
>   ✓ update       2 files, tried with 1 skill and 0 combinations of core 1.0.0
>
> ready: core 1.1.0 can be released
> updates/1.0.0-to-1.1.0 is written
2> warning: an installation of 1.0.0 with right: the package manager wrote another 'package-lock.json' than in a new installation; it is not counted
