# with --no-install the command to type is named
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "sample",
  "version": "1.0.0"
}
-- skills/number/manifest.yaml --
skill: number
version: 1.0.0
core_version: 1.0.0
adds: []
modifies: []
structured:
  npm_dependencies:
    is-number: ^7.0.0
== run ==
$ nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
$ nanoclaw skill apply number --no-install
> number 1.0.0 applied
>   merged    package.json
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw status
> core 1.0.0
>   number 1.0.0
== after ==
-- package.json --
{
  "name": "sample",
  "version": "1.0.0",
  "dependencies": {
    "is-number": "^7.0.0"
  }
}
