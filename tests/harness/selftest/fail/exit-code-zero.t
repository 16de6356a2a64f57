# success where failure is expected is a failure
# says: exit-code-zero.t:5: exit code 0, not 2
== run ==
$ true
? 2
