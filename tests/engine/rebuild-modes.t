# files of the core that come back can be executed as before: by their hash, from git, and only from git
needs: git
unlisted: .nanoclaw .git
-- VERSION --
1.0.0
-- tool [755] --
one
two
three
-- plain.txt --
plain
-- run [755] --
run
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [tool, plain.txt]
-- skills/x/modify/tool [755] --
one
x
two
three
-- skills/x/modify/plain.txt --
plain
x
== run ==
$ git init -q && git add VERSION tool plain.txt run && git commit -qm core
$ nanoclaw -q skill apply x && mkdir data && tar cf data/kept .nanoclaw
> x 1.0.0 applied
# Found by the hashes in the list: the tree's file is no longer executable.
$ rm -r .nanoclaw/base .nanoclaw/history; chmod 644 tool; nanoclaw -q doctor --fix; stat -c '%a %n' .nanoclaw/base/*
> 644 .nanoclaw/base/VERSION
> 644 .nanoclaw/base/plain.txt
> 755 .nanoclaw/base/run
> 755 .nanoclaw/base/tool
# Without the list.
$ chmod 755 tool; rm -r .nanoclaw; tar xf data/kept; rm -r .nanoclaw/base .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/history
$ rm run; nanoclaw -q doctor --fix; stat -c '%a %n' .nanoclaw/base/*
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: the core is 1.0.0, according to the tree
> warning  recovery     guess: the base is lost, and so is the list of its files: 1 of your files that no skill changes are used as the core, and 1 that only git has
> warning  recovery     guess: the core's 'tool' comes from git
> warning  recovery     guess: the core's 'plain.txt' comes from git
> warning  deleted      files of the core, skills or patches are missing from the tree: 'run'; they can be restored
>                       try: nanoclaw doctor --fix --yes
> 644 .nanoclaw/base/VERSION
> 644 .nanoclaw/base/plain.txt
> 755 .nanoclaw/base/run
> 755 .nanoclaw/base/tool
$ git checkout -q run; rm -r data; nanoclaw -q status
> core 1.0.0
>   x 1.0.0
== after ==
-- tool [755] --
one
x
two
three
-- plain.txt --
plain
x
