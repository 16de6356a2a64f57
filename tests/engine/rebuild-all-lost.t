# all of .nanoclaw is gone: where git has it, doctor says so, and how to bring it back
needs: git
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
x
== run ==
$ nanoclaw -q skill apply x; rm -r .nanoclaw; nanoclaw -q doctor
> x 1.0.0 applied
$ printf 'one\n' > a.txt; nanoclaw -q skill apply x; rm -r .nanoclaw/history; git init -q; git add -A; git -c user.name=x -c user.email=x@x commit -qm x; nanoclaw -q doctor
> x 1.0.0 applied
$ rm -r .nanoclaw; nanoclaw -q doctor
? 1
> problem  recovery     '.nanoclaw' is missing, and git has it: without it, applied skills count as part of the core
>                       try: git restore --source=HEAD --worktree .nanoclaw
$ mkdir .nanoclaw; git add -A; nanoclaw -q doctor --fix
? 1
> problem  recovery     '.nanoclaw' is missing, and git has it: without it, applied skills count as part of the core
>                       try: git restore --source=HEAD --worktree .nanoclaw
$ git restore --source=HEAD --worktree .nanoclaw; nanoclaw -q doctor; nanoclaw status; nanoclaw verify; nanoclaw -q skill remove x; cat a.txt
> core 1.0.0
>   x 1.0.0
> 5 files checked: all as recorded
> x 1.0.0 removed
> one
