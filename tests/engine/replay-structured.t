# structured files, a clash that was resolved, and a lockfile are as they were
unlisted: p copy bare kit
recover: nanoclaw -C copy status
-- copy/ --
-- kit/ --
-- p/VERSION --
1.0.0
-- p/package.json --
{
  "name": "p",
  "version": "1.0.0"
}
-- p/package-lock.json --
core
-- p/install.sh --
test -d node_modules || mkdir node_modules
sed -n 's/.*"\(.*\)": "\^.*/\1/p' package.json >package-lock.json
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {xx: "^1.0.0", zz: "^1.0.0"}
  env_additions: [X_TOKEN]
-- p/skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
structured:
  npm_dependencies: {yy: "^2.0.0", zz: "^2.0.0"}
  env_additions: [Y_TOKEN]
== run ==
$ cp -r p/. bare
$ cd p; export NANOCLAW_INSTALL='sh install.sh'; nanoclaw -q skill apply x; sed -i 's/"p"/"mine"/' package.json; nanoclaw -q skill apply y --on-drift record
? 3
> x 1.0.0 applied
> y 1.0.0 paused
>
> To resolve:
>   package.json: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cd p; printf '{\n  "name": "mine",\n  "version": "1.0.0",\n  "dependencies": {\n    "xx": "^1.0.0",\n    "yy": "^2.0.0",\n    "zz": "^2.0.0"\n  }\n}\n' >package.json; NANOCLAW_INSTALL='sh install.sh' nanoclaw -q continue; cat package-lock.json .env.example
> y 1.0.0 applied
> xx
> yy
> zz
> # Skill: x
> X_TOKEN=
>
> # Skill: y
> Y_TOKEN=
$! NANOCLAW_INSTALL='sh install.sh' nanoclaw -C p replay --into ../copy
> 2 skills and 1 patch replayed: 3 files are as recorded
>   1 of them is from the saved copy, because merging again gives another result ('-v' shows them)
> the installation is in '[dir]/copy'
$ diff -r -x .nanoclaw p copy; nanoclaw -C copy verify
> 14 files checked: all as recorded
# Without the saved copy, the package manager writes its lockfile again.
$ cp -r p/.nanoclaw/state.yaml p/.nanoclaw/custom kit; NANOCLAW_INSTALL='sh install.sh' nanoclaw -C bare replay --state ../kit/state.yaml; diff -r -x .nanoclaw p bare; nanoclaw -C bare verify
> 2 skills and 1 patch replayed: 2 files are as recorded
>   installed package-lock.json: the package manager's file is not kept; it writes it again
> 14 files checked: all as recorded
