# a command that ends before its change is certain is found
# fails: the files are the old ones, and must be the new ones
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw safely file
== after ==
-- file --
new
