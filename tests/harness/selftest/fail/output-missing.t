# an output that does not come is a failure
# says: output-missing.t:5: standard output is not as expected
== run ==
$ true
> text
