# files that packages add sort before, between and after those of the core, and the next package finds them
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- p/m.txt --
m
-- updates/1.0.0-to-2.0.0/files/VERSION --
2.0.0
-- updates/1.0.0-to-2.0.0/files/A.txt --
first
-- updates/1.0.0-to-2.0.0/files/dir/b.txt --
b
-- updates/1.0.0-to-2.0.0/files/dir-c.txt --
c
-- updates/1.0.0-to-2.0.0/files/z.txt --
last
-- updates/2.0.0-to-3.0.0/files/VERSION --
3.0.0
-- updates/2.0.0-to-3.0.0/file_ops.yaml --
- {type: rename, from: A.txt, to: B.txt}
- {type: delete, path: dir/b.txt}
- {type: delete, path: dir-c.txt}
- {type: delete, path: z.txt}
== run ==
$ nanoclaw -C p -q init; nanoclaw -C p --yes update ../updates
> Core updated: 1.0.0 → 3.0.0
>   ✓ All patches applied
$ nanoclaw -C p verify; ls p
> 6 files checked: all as recorded
> B.txt
> VERSION
> m.txt
== after ==
-- p/VERSION --
3.0.0
-- p/B.txt --
first
