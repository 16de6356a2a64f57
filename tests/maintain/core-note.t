# maintainers hear that the recorded core is not the version of the files, and what makes it that
needs: git
unlisted: .nanoclaw .git package.json
-- package.json --
{"name": "x", "version": "15.0.0"}
-- a.txt --
a
-- skills/s/manifest.yaml --
skill: s
version: 1.0.0
core_version: 15.0.0
description: adds b
adds: [b.txt]
-- skills/s/add/b.txt --
b
-- skills/s/SKILL.md --
# SKILL: s
== run ==
$ nanoclaw -q init && nanoclaw skill check skills/s --against .
> 1 package checked: no faults
> against core 15.0.0:
>   s 1.0.0  fits
> 1 fits, 0 can be refreshed, 0 need a person
$ sed -i s/15/16/ package.json; nanoclaw skill check skills/s --against . | sed -n 2p; nanoclaw matrix | sed -n 2p; nanoclaw skill refresh skills/s --dry-run >/dev/null
> against core 15.0.0:
> 15.0.0/s  alone  each skill alone
2> this is about the recorded core, 15.0.0; the files are 16.0.0. 'nanoclaw update HEAD' makes what is committed the core
2> this is about the recorded core, 15.0.0; the files are 16.0.0. 'nanoclaw update HEAD' makes what is committed the core
2> this is about the recorded core, 15.0.0; the files are 16.0.0. 'nanoclaw update HEAD' makes what is committed the core
$ git init -q; git add -A; git -c user.name=x -c user.email=x commit -qm 16; nanoclaw -q update HEAD --yes --no-install; nanoclaw skill check skills/s --against . | sed -n 2p
> Core updated: 15.0.0 → 16.0.0
> against core 16.0.0:
