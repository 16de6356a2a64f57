# a newline that is missing at the end counts
# says: + x[no-newline]
== run ==
$ printf x
> x
