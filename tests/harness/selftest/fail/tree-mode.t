# another mode is a failure
# says: 'old' has mode 755, not 644
-- old --
== run ==
$ chmod 755 old
