# two names that are not certain together are found
# fails: the files are neither old nor new
recover: nanoclaw status file
leftover: *.tmp
-- file --
old
-- file.2 --
old
== run ==
$! nanoclaw by-steps file
== after ==
-- file --
new
-- file.2 --
new
