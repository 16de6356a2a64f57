# a change that was announced and did not happen is a failure
# says: line 7: 'old' has other content
-- old --
== run ==
$ true
== after ==
-- old --
new
