# a safe replacement holds at every point, and recovery leaves nothing behind
# passes
recover: nanoclaw status file
-- file --
older
== run ==
$ echo old >file
$! nanoclaw safely file
== after ==
-- file --
new
