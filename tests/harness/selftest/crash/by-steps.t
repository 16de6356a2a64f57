# half of a change is found
# fails: the files are neither old nor new
recover: -
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
