# a file that cannot be read is named with its place, and nothing is touched
-- VERSION --
1.0.0
-- package.json --
{
  "name": "postbox",
  "name": "twice"
}
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
structured: {npm_dependencies: {a: "^1.2.0"}}
-- skills/bad/manifest.yaml --
skill: bad
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {a: "not a range!", "B ad": "^1.0.0"}
  env_additions: ["1X", {default: "x"}]
  docker_compose_services: {"a b": {image: x}, c: {ports: ["99999:1"]}}
  system_packages: ["rm -rf /"]
== run ==
$ nanoclaw skill apply one
? 2
2> error: package.json:3:8: duplicate object key near '"name"'
2> hint: correct 'package.json', then try again
$ nanoclaw skill check skills/bad
? 2
> skills/bad/manifest.yaml:7:29: error: 'a b' cannot be the name of a service: letters, digits, '.', '_' and '-'
> skills/bad/manifest.yaml:7:48: error: service 'c' has neither an 'image' nor a 'build'
> skills/bad/manifest.yaml:7:60: error: '99999:1' is not a port: write '[[address:]host:]container[/protocol]'
> skills/bad/manifest.yaml:6:19: error: '1X' is not a variable name: letters, digits and '_', and no digit first
> skills/bad/manifest.yaml:5:25: error: npm dependency 'a' has 'not a range!', which is not a range, tag or address that npm accepts
> skills/bad/manifest.yaml:5:41: error: npm dependency 'B ad' has a name that has characters that npm does not allow in names
> skills/bad/manifest.yaml:8:21: error: 'rm -rf /' is not a package name: lower case letters, digits and '+', '.', '-', two or more
> skills/bad/SKILL.md: warning: it is missing: it tells people and Claude Code what the skill is for
> skills/bad/manifest.yaml: warning: 'description' is missing: 'skill list' shows it to people who choose
> 1 package checked: 7 errors, 2 warnings
