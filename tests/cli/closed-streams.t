# nothing is written into a file because a standard stream was closed
-- ours --
mine
-- base --
old
-- theirs --
yours
== run ==
$ nanoclaw merge-file ours base theirs 0<&- 1>&- 2>&-
? 1
$ nanoclaw version >&-
? 1
2> error: cannot write to standard output
== after ==
-- ours [hex] --
3c3c3c3c3c3c3c206f7572730a
6d696e650a
3d3d3d3d3d3d3d0a
796f7572730a
3e3e3e3e3e3e3e207468656972730a
