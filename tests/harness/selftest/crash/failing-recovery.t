# a recovery that fails is found
# fails: exit code 7 of 'nanoclaw status file; exit 7'
recover: nanoclaw status file; exit 7
-- file --
old
== run ==
$! nanoclaw safely file
