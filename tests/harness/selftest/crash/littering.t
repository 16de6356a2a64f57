# a file that an error leaves behind is found: only a kill may leave it
# fails: file.tmp' is there and should not be
recover: -
leftover: *.tmp
-- file --
old
== run ==
$! nanoclaw littering file
== after ==
-- file --
new
