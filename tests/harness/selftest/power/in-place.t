# a write in place is found
# fails: the files are neither old nor new
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw in-place file
== after ==
-- file --
new
