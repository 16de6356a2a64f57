# an update package renames nothing into folders of the user
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a
-- updates/0.5.0-to-0.6.0/file_ops.yaml --
file_ops:
  - {type: rename, from: a.txt, to: data/a.txt}
-- updates/0.5.0-to-0.6.0/files/VERSION --
0.6.0
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p --yes update ../updates
? 2
2> error: ../updates/0.5.0-to-0.6.0/file_ops.yaml:2:5: the file operation is about 'data/a.txt', which is not part of a core, and belongs to the user
$ ls p
> VERSION
> a.txt
