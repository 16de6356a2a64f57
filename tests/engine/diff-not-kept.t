# where what was recorded is not kept, diff says so, and --by takes the rest of a known file for its skill's
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- f --
a
b
== run ==
$ nanoclaw -q init
$ printf 'a\nskill\nb\n' >f
$ printf 'skills_system_version: 0.1.0\ncore_version: 1.0.0\napplied_skills:\n  - name: old\n    version: 1.0.0\n    applied_at: 2026-01-01T00:00:00Z\n    file_hashes:\n      f: %s\n' "$(sha256sum f | cut -c1-64)" >.nanoclaw/state.yaml
$ nanoclaw diff
$ nanoclaw diff --by
> f
> core  1  a
> old   2  skill
> core  3  b
>   2 core, 1 skill old
$ echo mine >>f
$ nanoclaw diff
2> warning: 'f' differs (edited), but its recorded version is lost
$ nanoclaw diff --json
> {
>   "files": [
>     {
>       "change": "edited",
>       "patch": null,
>       "path": "f"
>     }
>   ],
>   "success": true
> }
2> warning: 'f' differs (edited), but its recorded version is lost
$ nanoclaw -q diff --by 2>&1
> f
> core  1  a
> you   2  skill
> core  3  b
> you   4  mine
>   2 core, 2 you
