# a rename keeps content, permissions and edits, and the skill's own change comes after it
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- src/server [755] --
1
2
3
4
5
-- src/plain --
p
-- skills/app/manifest.yaml --
skill: app
version: 1.0.0
core_version: 1.0.0
modifies: [src/app]
file_ops:
  - {type: rename, from: src/server, to: src/app}
  - {type: move, from: src/plain, to: lib/deep/plain}
-- skills/app/modify/src/app [755] --
1
2
3
4
5
app
== run ==
$ nanoclaw -q init
$ sed -i 's/^1$/1 mine/' src/server
$ nanoclaw skill apply --on-drift continue app --dry-run
> app 1.0.0 would be applied
>   renamed   src/server -> src/app
>   renamed   src/plain -> lib/deep/plain
>   merged    src/app
$! nanoclaw --json skill apply --on-drift continue app --no-test
> {
>   "backupPending": false,
>   "files": [
>     {
>       "from": "src/server",
>       "outcome": "renamed",
>       "path": "src/app"
>     },
>     {
>       "from": "src/plain",
>       "outcome": "renamed",
>       "path": "lib/deep/plain"
>     },
>     {
>       "outcome": "merged",
>       "path": "src/app"
>     }
>   ],
>   "mergeConflicts": [],
>   "nothingToDo": false,
>   "reached": true,
>   "skill": "app",
>   "success": true,
>   "untrackedChanges": [
>     "src/server"
>   ],
>   "version": "1.0.0",
>   "warnings": []
> }
$ nanoclaw skill apply app
> app 1.0.0 is already applied
$ cat .nanoclaw/state.yaml | grep -v _at: | grep -v last_updated
> applied_skills:
>     core_version_at_apply: 1.0.0
>     file_hashes:
>       lib/deep/plain: fd6641673e7f3bf6e80e4bc5401fcb2821a1e117206c8e1c65cef23a58dc37ff
>       src/app: e7192004460605238f688f172d57d581a8798f17a2dd97ca81d1b13b064d8a00
>     file_ops:
>       - from: src/server
>         to: src/app
>         type: rename
>       - from: src/plain
>         to: lib/deep/plain
>         type: rename
>     files_added: []
>     files_deleted:
>       - src/server
>       - src/plain
>     files_modified:
>       - src/app
>     hashes:
>       src/app:
>         base: f6b49467f595b1a44e442c198b3df4d221e88efcaabc26254f8e0ad4f79b6242
>         merged: e7192004460605238f688f172d57d581a8798f17a2dd97ca81d1b13b064d8a00
>         skill: e7192004460605238f688f172d57d581a8798f17a2dd97ca81d1b13b064d8a00
>     modes:
>       src/app: "100755"
>     name: app
>     renames:
>       src/plain: lib/deep/plain
>       src/server: src/app
>     source: skills/app
>     source_sha256: e5d991430aa5796bc88a7453cb658e46e2e2ced9b4879c4c469bf3d044330ad3
>     version: 1.0.0
> core_version: 1.0.0
> custom_modifications: []
> path_remap:
>   src/plain: lib/deep/plain
>   src/server: src/app
> skills_system_version: 0.1.0
== after ==
-- src/app [755] --
1 mine
2
3
4
5
app
-- !src/server --
-- !src/plain --
-- lib/deep/plain --
p
