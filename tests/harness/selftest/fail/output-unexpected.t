# an output that is not expected is a failure
# says: output-unexpected.t:4: standard output is not as expected
== run ==
$ echo x
