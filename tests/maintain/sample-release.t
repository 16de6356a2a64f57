# the sample can be released, and its update package is what 'nanoclaw release' writes
needs: git
tree: examples/postbox
ignore: .git .git/** .nanoclaw .nanoclaw/** data data/**
unlisted: **
== run ==
$ mkdir data && mv updates data && git init -q && git add -A . ':!data' && git commit -qm one
$ git tag v1.0.0
$ nanoclaw -q resolution import data/updates/1.0.0-to-1.1.0/resolutions
> brief@1.0.0+core@1.1.0 imported, 1 file
$ cp -r data/updates/1.0.0-to-1.1.0/files/. .
$ nanoclaw release -j 2
>   ✓ version      1.1.0, and 1.0.0 before
>   ✓ packages     7
>   ✓ alone        7
>   ✓ pairs        8
>   ✓ stacks       3
>   ✓ migrations   1 breaking change, 1 migration
>   ✓ resolutions  3 shipped
>   ✓ update       19 files, tried with 6 skills and 8 combinations of core 1.0.0
>
> ready: core 1.1.0 can be released
> updates/1.0.0-to-1.1.0 is written
2> warning: brief and in-the-box overlap, and are left out: brief declares a conflict with in-the-box
$ diff -r updates data/updates && echo the same
> the same
