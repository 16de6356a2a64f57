# a package with an invalid manifest, in a folder that the new core has a package for, stays as it is
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
one
-- new/VERSION --
0.6.0
-- new/a.txt --
one
-- new/skills/note/manifest.yaml --
skill: note
version: 1.0.0
core_version: 0.6.0
adds: [note.txt]
-- new/skills/note/add/note.txt --
note
== run ==
$ nanoclaw -C p -q init
$ mkdir -p p/skills/note; echo 'version: 1.0.0' >p/skills/note/manifest.yaml
$! nanoclaw -C p --yes update ../new
> Core updated: 0.5.0 → 0.6.0
>   ✓ All patches applied
2> warning: the package 'skills/note' is not the new core's, and not older: it stays as it is
$ cat p/skills/note/manifest.yaml; ls p/skills/note
> version: 1.0.0
> manifest.yaml
