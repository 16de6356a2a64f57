# another build of the program runs everything again, whatever its version is
ignore: data data/**
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
description: x
core_version: 1.0.0
adds: [b.txt]
-- skills/x/add/b.txt --
x
== run ==
$ mkdir data && cp "$(command -v nanoclaw)" data/nanoclaw && echo >> data/nanoclaw
$ nanoclaw matrix run > data/log && tail -n 1 data/log | cut -d '(' -f 1
> 1 passed, 0 unchanged, 0 failed 
$ nanoclaw matrix run > data/log && tail -n 1 data/log | cut -d '(' -f 1
> 0 passed, 1 unchanged, 0 failed 
$ data/nanoclaw matrix run > data/log && tail -n 1 data/log | cut -d '(' -f 1
> 1 passed, 0 unchanged, 0 failed 
$ data/nanoclaw matrix run > data/log && tail -n 1 data/log | cut -d '(' -f 1
> 0 passed, 1 unchanged, 0 failed 
