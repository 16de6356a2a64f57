# another target of a link is a failure
# says: + there[no-newline]
-- link -> here --
== run ==
$ ln -sf there link
