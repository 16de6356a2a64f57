# init leaves what belongs to a machine out of git, names test runners that walk into the base, and refuses an empty folder
needs: git
unlisted: .nanoclaw .git
-- package.json --
{"version": "1.0.0", "scripts": {"test": "node --test"}, "devDependencies": {"vitest": "4", "jest": "30"}}
== run ==
$ mkdir ../empty; nanoclaw -C ../empty init --core-version 1.0.0
? 2
2> error: '[..]/empty' has no files that skills could change
2> hint: run 'nanoclaw init' in the folder of your project
$ ls -A ../empty
$ git init -q && nanoclaw init
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
> commit .nanoclaw/ to git, too ('git add -f .nanoclaw/base'); its '.gitignore' leaves out what belongs to this machine
2> 'node --test' also finds the tests in '.nanoclaw/base'; name the folder of yours: 'node --test test/'
2> 'jest' also finds the tests in '.nanoclaw/base'; '"modulePathIgnorePatterns": ["<rootDir>/.nanoclaw/"]' in its configuration stops that
2> 'vitest' also finds the tests in '.nanoclaw/base'; 'exclude: [...configDefaults.exclude, ".nanoclaw/**"]' in its configuration stops that
$ git add -A && git ls-files .nanoclaw
> .nanoclaw/.gitignore
> .nanoclaw/base.sha256
> .nanoclaw/base/package.json
> .nanoclaw/state.yaml
