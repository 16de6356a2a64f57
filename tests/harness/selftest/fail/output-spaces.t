# white space at the end of a line counts
# says: - x
== run ==
$ echo 'x '
> x
