# the same file twice is a failure
# says: parse-twice.t:4: 'file' stands in line 3 already
-- file --
-- file --
== run ==
$ true
