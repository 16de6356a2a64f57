# a replacement that is synced outlives a power cut
# passes
recover: nanoclaw status file
-- file --
old
== run ==
$! nanoclaw durably file
== after ==
-- file --
new
