# output that cannot be written is not a success
== run ==
$ nanoclaw help > /dev/full
? 1
2> error: cannot write to standard output
