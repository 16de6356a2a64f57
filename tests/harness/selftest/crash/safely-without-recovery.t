# a file that a crash leaves behind is found
# fails: file.tmp' is there and should not be
recover: -
-- file --
old
== run ==
$! nanoclaw safely file
== after ==
-- file --
new
