# an error message that is not expected is a failure, also with a failing command
# says: error-unexpected.t:4: standard error is not as expected
== run ==
$ echo x >&2; exit 1
? 1
