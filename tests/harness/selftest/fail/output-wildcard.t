# a wildcard does not match more than its line
# says: + b
== run ==
$ echo a; echo b
> a[..]
