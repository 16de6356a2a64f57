# a scenario that needs what is not there is skipped
needs: no-such-program
== run ==
$ false
