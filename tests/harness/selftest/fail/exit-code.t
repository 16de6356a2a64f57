# another exit code is a failure
# says: exit-code.t:4: exit code 1, not 0
== run ==
$ false
