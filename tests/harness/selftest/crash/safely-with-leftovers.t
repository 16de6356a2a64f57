# a safe replacement holds at every point, and a killed one may leave a file
# passes
recover: -
leftover: *.tmp
-- file --
old
== run ==
$! nanoclaw safely file
== after ==
-- file --
new
