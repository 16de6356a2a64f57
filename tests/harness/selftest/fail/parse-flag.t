# an unknown flag is a failure
# says: parse-flag.t:3: no such flag: 'executable'
-- file [executable] --
== run ==
$ true
