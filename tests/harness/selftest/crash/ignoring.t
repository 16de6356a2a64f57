# an error that is ignored, and changes nothing, is found
# fails: warning: an error was ignored: cannot sync
recover: nanoclaw status file
leftover: *.tmp
-- file --
old
== run ==
$! nanoclaw ignoring file
== after ==
-- file --
new
