# another output is a failure
# says: output-other.t:6: standard output is not as expected
== run ==
$ echo one; echo two
> one
> three
