# code in 'store', 'data' or 'build' that git tracks is core, and stays so in an update from a folder without git
needs: git
unlisted: p/.nanoclaw
ignore: p/.git
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/store/index.ts --
one
two
three
-- p/store/messages.db --
mine
-- p/data/seed.sql --
seed
-- p/data/notes.txt --
mine, and not in git
-- p/build --
a script
-- p/logs/today.log --
mine
-- p/.env.production --
MODE=production
-- p/.gitignore --
*.db
logs
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [store/x.ts]
modifies: [store/index.ts]
-- p/skills/x/add/store/x.ts --
x
-- p/skills/x/modify/store/index.ts --
one
two
three
x
-- new/VERSION --
1.1.0
-- new/store/index.ts --
one, new
two
three
-- new/store/cache.ts --
new
-- new/data/seed.sql --
seed, new
-- new/build --
a script
-- new/logs/x.log --
theirs
-- new/.env.production --
MODE=new
== run ==
$ cd p; git init -q; git add VERSION .gitignore store data/seed.sql build .env.production; git commit -qm one; nanoclaw init; cd .nanoclaw/base; find . -type f | sort
> core 1.0.0 is saved in .nanoclaw/base; you can now apply skills
> commit .nanoclaw/ to git, too ('git add -f .nanoclaw/base'); its '.gitignore' leaves out what belongs to this machine
> ./.env.production
> ./.gitignore
> ./VERSION
> ./build
> ./data/seed.sql
> ./store/index.ts
$ cd p; nanoclaw skill apply x; nanoclaw status
> x 1.0.0 applied
>   added     store/x.ts
>   merged    store/index.ts
> core 1.0.0
>   x 1.0.0
# git forgets them, the base does not: nothing is deleted.
$ cd p; git rm -q --cached -r store data build .env.production; nanoclaw --yes update ../new; cat store/index.ts store/cache.ts data/seed.sql store/messages.db .env.production logs/today.log
> Core updated: 1.0.0 → 1.1.0
>   ✓ All patches applied
> one, new
> two
> three
> x
> new
> seed, new
> mine
> MODE=new
> mine
2> warning: 'logs' of the new core is left out, since it is not part of yours; a line '!NAME' in '.nanoclaw-ignore' includes it
# Folders that a person adds to git later do not become core by that.
$ cd p; mkdir groups; echo mine > groups/x; git add groups; nanoclaw -q customize start mine; nanoclaw customize commit
> nothing changed, so there is nothing to record
$ cd p; git add store/x.ts; nanoclaw -q customize start mine; echo y > store/y.ts; echo z > store/notes.txt; git add store/y.ts; nanoclaw -q customize commit; rm store/notes.txt; nanoclaw customize list
> recorded as 001-mine
> 001-mine  2001-02-03   1 file   mine
>   store/y.ts
== after ==
-- p/.env.production --
MODE=new
-- p/VERSION --
1.1.0
-- !p/.gitignore --
-- p/data/seed.sql --
seed, new
-- p/groups/x --
mine
-- p/store/cache.ts --
new
-- p/store/index.ts --
one, new
two
three
x
-- p/store/x.ts --
x
-- p/store/y.ts --
y
