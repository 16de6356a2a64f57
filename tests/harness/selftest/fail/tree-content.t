# other content is a failure
# says: + TWO
-- old --
one
two
== run ==
$ printf 'one\nTWO\n' >old
