# new dependencies, variables, services and packages are declared, what else was edited is text
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- package.json --
{
  "name": "x",
  "scripts": {
    "test": "true"
  },
  "dependencies": {
    "zod": "^3.0.0"
  }
}
-- .env.example --
NAME=Andy
-- compose.yaml --
services:
  web: # the page
    image: nginx:alpine
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {grammy: ^1.0.0}
  env_additions: [Q_TOKEN]
-- skills/q/SKILL.md --
Q.
== run ==
$ nanoclaw skill apply q -q --no-install
> q 1.0.0 applied
$ sed -i 's/"true"/"false"/; s/^  "dependencies": {/&\n    "ajv": "^8.0.0",/' package.json
$ printf '\n# How many\nLIMIT=5\nEMPTY=\n' >> .env.example
$ printf '  redis:\n    image: redis:alpine\n' >> compose.yaml
$ printf 'ffmpeg\n' > system-packages.txt
$ nanoclaw skill new s --from-changes
> created .claude/skills/s
>   declare  .env.example   (as 'env_additions'; the engine formats it in its own way)
>   declare  compose.yaml   (as 'docker_compose_services'; the engine formats it in its own way)
>   declare  package.json   (as 'npm_dependencies')
>   modify   package.json   (as text, outside of the declared entries: other skills can conflict with it)
>   declare  system-packages.txt   (as 'system_packages'; the engine formats it in its own way)
> Applied in memory, it gives these changes; entries that are declared stand where the engine puts them.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/s
>   nanoclaw skill apply s   (the skill then owns your changes)
$ nanoclaw skill check .claude/skills/s
> .claude/skills/s/SKILL.md:10: warning: the placeholder '<!-- author:' is still there: replace it with your text
> .claude/skills/s/modify/package.json.intent.md:5: warning: the placeholder '<!-- author:' is still there: replace it with your text
> 1 package checked: 0 errors, 2 warnings
$! nanoclaw skill apply s --no-install
> s 1.0.0 applied
>   merged    package.json
>   merged    compose.yaml
>   merged    .env.example
>   added     system-packages.txt
2> warning: skill 's' changes 'package.json' as text; it should declare 'npm_dependencies'
2> warning: dependencies have changed, and are not installed: run 'npm install'
$ nanoclaw status
> core 1.0.0
>   q 1.0.0
>   s 1.0.0
$ nanoclaw skill remove s -q --no-install
> s 1.0.0 removed
$ rm -r .claude
== after ==
-- .env.example --
NAME=Andy

# Skill: q
Q_TOKEN=
-- package.json --
{
  "name": "x",
  "scripts": {
    "test": "true"
  },
  "dependencies": {
    "grammy": "^1.0.0",
    "zod": "^3.0.0"
  }
}
