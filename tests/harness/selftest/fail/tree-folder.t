# an empty folder that appears is a failure
# says: 'new' is there and should not be
== run ==
$ mkdir new
