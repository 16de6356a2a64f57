# a command whose end the shell hides is no crash test
# fails: it was not killed
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw safely file || true
