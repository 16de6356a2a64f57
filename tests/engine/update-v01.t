# a project of v0.1, which kept no contents, is updated, too
unlisted: p/.nanoclaw
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a 1
a 2
a 3
a 4 tel
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/t.txt [755] --
t
-- p/.nanoclaw/base/VERSION --
0.5.0
-- p/.nanoclaw/base/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/VERSION --
0.6.0
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9 core
a 10
a 11
a 12
== run ==
$ printf 'skills_system_version: "0.1.0"\ncore_version: 0.5.0\napplied_skills:\n  - name: tel\n    version: 1.0.0\n    file_hashes:\n      a.txt: %s\n      t.txt: %s\n' $(sha256sum p/a.txt p/t.txt | cut -d" " -f1) > p/.nanoclaw/state.yaml
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
$ nanoclaw -C p verify
> 5 files checked: all as recorded
$ nanoclaw -C p status
> core 0.6.0
>   tel 1.0.0
== after ==
-- p/VERSION --
0.6.0
-- p/a.txt --
a 1
a 2
a 3
a 4 tel
a 5
a 6
a 7
a 8
a 9 core
a 10
a 11
a 12
