# an error that the exit code hides is found
# fails: exit code 0, but the files are not new
recover: -
leftover: *.tmp
-- file --
old
== run ==
$! nanoclaw silently file
== after ==
-- file --
new
