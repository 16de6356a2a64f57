# a program in the background lives to the end of the scenario and no longer
ignore: pid
== run ==
$ sleep 100 & echo $! >pid
$ kill -0 $(cat pid)
