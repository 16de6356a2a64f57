# a changed file of the folder that it started from is a failure
# says: + two
tree: selftest/start
== run ==
$ echo two > lib/kept
