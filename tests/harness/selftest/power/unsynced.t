# a content that is not synced before its name is found
# fails: the files are neither old nor new
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw unsynced file
== after ==
-- file --
new
