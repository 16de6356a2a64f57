# operations that cannot be done are refused before anything is touched
-- VERSION --
1.0.0
-- a --
a
-- b --
b
-- folder/file --
f
-- link -> folder --
-- s/missing/manifest.yaml --
skill: missing
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: nothing, to: x}]
-- s/missing-delete/manifest.yaml --
skill: missing-delete
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: nothing}]
-- s/taken/manifest.yaml --
skill: taken
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b}]
-- s/taken-late/manifest.yaml --
skill: taken-late
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: c}, {type: rename, from: b, to: folder/file}]
-- s/folder/manifest.yaml --
skill: folder
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: folder, to: other}]
-- s/folder-delete/manifest.yaml --
skill: folder-delete
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: delete, path: folder}]
-- s/through/manifest.yaml --
skill: through
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: link/a}]
-- s/below/manifest.yaml --
skill: below
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: b/a}]
-- s/inside/manifest.yaml --
skill: inside
version: 1.0.0
core_version: 1.0.0
file_ops: [{type: rename, from: a, to: a/a}]
== run ==
$ nanoclaw skill apply s/missing
? 2
2> error: skill 'missing' renames 'nothing', which does not exist
2> hint: restore the file first; 'nanoclaw skill show missing' shows what the skill does
$ nanoclaw skill apply s/missing-delete
? 2
2> error: skill 'missing-delete' deletes 'nothing', which does not exist
2> hint: restore the file first; 'nanoclaw skill show missing-delete' shows what the skill does
$ nanoclaw skill apply s/taken
? 2
2> error: skill 'taken' renames 'a' to 'b', which already exists
2> hint: move 'b' away first
$ nanoclaw skill apply s/taken-late
? 2
2> error: skill 'taken-late' renames 'b' to 'folder/file', which already exists
2> hint: move 'folder/file' away first
$ nanoclaw skill apply s/folder
? 2
2> error: skill 'folder' renames 'folder', which is a folder, not a file
$ nanoclaw skill apply s/folder-delete
? 2
2> error: skill 'folder-delete' deletes 'folder', which is a folder, not a file
$ nanoclaw skill apply s/through
? 2
2> error: cannot access 'link/a': a symbolic link is in the way
$ nanoclaw skill apply s/below
? 2
2> error: cannot access 'b/a': not a directory
2> hint: a file is where a folder is needed; move it away first
$ nanoclaw skill apply s/inside
? 2
2> error: cannot access 'a/a': not a directory
2> hint: a file is where a folder is needed; move it away first
