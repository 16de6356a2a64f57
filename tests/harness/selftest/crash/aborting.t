# an error that ends the command with a signal is found
# fails: exit code 134: an error must not crash it
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw aborting file
== after ==
-- file --
new
