# a file cannot go that was not there
# says: parse-gone.t:6: 'file' was not there before
== run ==
$ true
== after ==
-- !file --
