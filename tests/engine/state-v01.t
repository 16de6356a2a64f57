# a state in the forms of 0.1 is read, and what we do not know in it is kept
# ending: v0.1 did not keep what verify looks for
-- VERSION --
1.0.0
-- a.txt --
one
-- .nanoclaw/state.yaml --
skills_system_version: 0.1.0
core_version: 1.0.0
our_key: [1, 2]
applied_skills:
  - plain
  - skill: telegram
    version: 1.0.0
    custom_patch: .nanoclaw/custom/t.patch
  - name: third
    version: 3.0.0
    note: kept
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
depends: [plain, telegram]
-- skills/x/modify/a.txt --
ONE
-- skills/plain/manifest.yaml --
skill: plain
version: 1.0.0
core_version: 1.0.0
-- skills/telegram/manifest.yaml --
skill: telegram
version: 1.0.0
core_version: 1.0.0
== run ==
$ nanoclaw status
> core 1.0.0
>   plain
>   telegram 1.0.0
>   third 3.0.0
>   t (custom patch)
$ nanoclaw skill apply telegram
> telegram 1.0.0 is already applied
$ nanoclaw skill apply x
> x 1.0.0 applied
>   merged    a.txt
$ cat .nanoclaw/state.yaml
> applied_skills:
>   - name: plain
>   - custom_patch: .nanoclaw/custom/t.patch
>     name: telegram
>     version: 1.0.0
>   - name: third
>     note: kept
>     version: 3.0.0
>   - applied_at: "2001-02-03T04:05:06.000Z"
>     core_version_at_apply: 1.0.0
>     file_hashes:
>       a.txt: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
>     files_added: []
>     files_modified:
>       - a.txt
>     hashes:
>       a.txt:
>         base: 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806
>         merged: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
>         skill: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
>     modes: {}
>     name: x
>     source: skills/x
>     source_sha256: 5a011cc9783ff00428d539f0388c4ab8780aa98e9eda6bb7f757e7ff8dad091e
>     version: 1.0.0
> core_version: 1.0.0
> last_updated: "2001-02-03T04:05:06.000Z"
> our_key:
>   - 1
>   - 2
> skills_system_version: 0.1.0
$ nanoclaw skill apply plain
> plain 1.0.0 applied
== after ==
-- .nanoclaw/applied/plain --
nanoclaw-pack 1 3719630c6141e22b2fff47ddfc7f82e2777280aac71200271df71b25b47e63bd
manifest 644 48 manifest.yaml

skill: plain
version: 1.0.0
core_version: 1.0.0
-- .nanoclaw/applied/x --
nanoclaw-pack 1 8d5269a7b272bfda94c77cf42a63cfa74e3aa67599051a00d379d26f7a5347a2
modify 644 4 a.txt
manifest 644 89 manifest.yaml

ONE
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
depends: [plain, telegram]
-- .nanoclaw/state.yaml --
applied_skills:
  - applied_at: "2001-02-03T04:05:06.000Z"
    core_version_at_apply: 1.0.0
    file_hashes: {}
    files_added: []
    files_modified: []
    hashes: {}
    modes: {}
    name: plain
    source: skills/plain
    source_sha256: a55675dd41fd8fd0974df663ccbbb000246c6a434b19fa8e47d72c6db2833783
    version: 1.0.0
  - custom_patch: .nanoclaw/custom/t.patch
    name: telegram
    version: 1.0.0
  - name: third
    note: kept
    version: 3.0.0
  - applied_at: "2001-02-03T04:05:06.000Z"
    core_version_at_apply: 1.0.0
    file_hashes:
      a.txt: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
    files_added: []
    files_modified:
      - a.txt
    hashes:
      a.txt:
        base: 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806
        merged: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
        skill: bd52020371c038c4ad38a8d2df05dfa1a220d40fbe1ae83b63d6010cb527e531
    modes: {}
    name: x
    source: skills/x
    source_sha256: 5a011cc9783ff00428d539f0388c4ab8780aa98e9eda6bb7f757e7ff8dad091e
    version: 1.0.0
core_version: 1.0.0
last_updated: "2001-02-03T04:05:06.000Z"
our_key:
  - 1
  - 2
skills_system_version: 0.1.0
-- a.txt --
ONE
