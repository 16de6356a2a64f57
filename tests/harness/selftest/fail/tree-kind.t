# a link in place of a file is a failure
# says: 'old' is a symbolic link, not a file
-- old --
== run ==
$ ln -sf there old
