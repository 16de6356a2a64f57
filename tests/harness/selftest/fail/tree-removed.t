# a file that disappears is a failure
# says: line 3: 'old' is missing
-- old --
== run ==
$ rm old
