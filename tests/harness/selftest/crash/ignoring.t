# an error that is ignored, and changes nothing, is found
# fails: exit code 0, but an error is hidden
recover: nanoclaw status file
leftover: *.tmp
-- file --
old
== run ==
$! nanoclaw ignoring file
== after ==
-- file --
new
