# an update never touches a person's files: a package that would is refused, and a whole core is updated without them
needs: git
unlisted: p/.nanoclaw
ignore: p/.git new/.git
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- p/groups/main/CLAUDE.md --
mine
-- p/.env.local --
KEY=mine
-- new/VERSION --
1.1.0
-- new/a.txt --
one
two
-- new/groups/main/CLAUDE.md --
theirs
-- new/Data/x.txt --
theirs
-- new/sub/.env.local --
KEY=theirs
-- files/1.0.0-to-1.1.0/files/VERSION --
1.1.0
-- files/1.0.0-to-1.1.0/files/groups/main/CLAUDE.md --
theirs
-- env/1.0.0-to-1.1.0/files/.env.local --
KEY=theirs
-- renames/1.0.0-to-1.1.0/file_ops.yaml --
file_ops: [{type: rename, from: a.txt, to: Groups/a.txt}]
-- deletes/1.0.0-to-1.1.0/file_ops.yaml --
file_ops: [{type: delete, path: groups/main/CLAUDE.md}]
-- takes/1.0.0-to-1.1.0/file_ops.yaml --
file_ops: [{type: rename, from: groups/main/CLAUDE.md, to: b.txt}]
-- maps/1.0.0-to-1.1.0/path_remap.yaml --
path_remap: {a.txt: groups/main/CLAUDE.md}
-- migration/1.0.0-to-1.1.0/files/VERSION --
1.1.0
-- migration/1.0.0-to-1.1.0/files/migrations.yaml --
- {since: 1.1.0, skill: m@1.0.0, description: a}
-- migration/1.0.0-to-1.1.0/files/skills/m/manifest.yaml --
skill: m
version: 1.0.0
core_version: 1.0.0
adds: [groups/main/x]
-- migration/1.0.0-to-1.1.0/files/skills/m/add/groups/main/x --
theirs
== run ==
$ nanoclaw -q -C p init
$ for u in files env renames deletes takes maps migration; do nanoclaw -C p --yes update ../$u; echo "$u $?"; done
> files 2
> env 2
> renames 2
> deletes 2
> takes 2
> maps 2
> migration 2
2> error: ../files/1.0.0-to-1.1.0/files: 'groups/main/CLAUDE.md' is not part of a core, and belongs to the user
2> error: ../env/1.0.0-to-1.1.0/files: '.env.local' is not part of a core, and belongs to the user
2> error: ../renames/1.0.0-to-1.1.0/file_ops.yaml:1:12: the file operation is about 'Groups/a.txt', which is not part of a core, and belongs to the user
2> error: ../deletes/1.0.0-to-1.1.0/file_ops.yaml:1:12: the file operation is about 'groups/main/CLAUDE.md', which the core does not have
2> error: ../takes/1.0.0-to-1.1.0/file_ops.yaml:1:12: the file operation is about 'groups/main/CLAUDE.md', which the core does not have
2> error: ../maps/1.0.0-to-1.1.0/path_remap.yaml:1:14: 'path_remap': 'a.txt' is a file of the new core, and cannot lead to another
2> error: skills/m: manifest.yaml:4:8: path 'groups/main/x' is not part of the core, and belongs to the user; if a folder or file is part of the program and not your data, include it with a line such as '!data/' in '.nanoclaw-ignore'
2> hint: everything is as it was before
# A whole core, in a folder and in git.
$ nanoclaw -C p --yes update ../new
> Core updated: 1.0.0 → 1.1.0
>   ✓ All patches applied
2> warning: 'groups' of the new core is left out, since it is not part of yours; a line '!NAME' in '.nanoclaw-ignore' includes it
$ cat p/a.txt; ls -A p; nanoclaw -C p -q undo
> one
> two
> .env.local
> .nanoclaw
> Data
> VERSION
> a.txt
> groups
$ cd new; git init -q -b main; git add -f .; git commit -qm new; cd ../p; git init -q; git fetch -q ../new main; nanoclaw --yes update FETCH_HEAD
> Core updated: 1.0.0 → 1.1.0
>   ✓ All patches applied
2> warning: 'groups' of the new core is left out, since it is not part of yours; a line '!NAME' in '.nanoclaw-ignore' includes it
2> warning: 'sub/.env.local' of the new core is left out, since it is not part of yours; a line '!NAME' in '.nanoclaw-ignore' includes it
$ cat p/a.txt; ls -A p
> one
> two
> .env.local
> .git
> .nanoclaw
> Data
> VERSION
> a.txt
> groups
== after ==
-- p/Data/x.txt --
theirs
-- p/VERSION --
1.1.0
-- p/a.txt --
one
two
