# a new core needs other packages, and a skill has changed package.json as text: they are to be installed
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/package.json --
{
  "name": "p",
  "scripts": {
    "a": "1"
  },

  "dependencies": {
    "left": "^1.0.0"
  }
}
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [package.json]
-- p/skills/x/modify/package.json --
{
  "name": "p",
  "scripts": {
    "a": "x"
  },

  "dependencies": {
    "left": "^1.0.0"
  }
}
-- new/VERSION --
2.0.0
-- new/package.json --
{
  "name": "p",
  "scripts": {
    "a": "1"
  },

  "dependencies": {
    "left": "^2.0.0"
  }
}
== run ==
$ nanoclaw -C p -q --yes skill apply x --no-install
> x 1.0.0 applied
$! nanoclaw -C p --yes update ../new --no-install
> Core updated: 1.0.0 → 2.0.0
>   ✓ All patches applied
2> warning: dependencies have changed, and are not installed: run 'npm install'
== after ==
-- p/VERSION --
2.0.0
-- p/package.json --
{
  "name": "p",
  "scripts": {
    "a": "x"
  },

  "dependencies": {
    "left": "^2.0.0"
  }
}
