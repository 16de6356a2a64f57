# merge-file says what has become of a file that it could not write whole
-- base --
mine
-- theirs --
yours
== run ==
$ nanoclaw merge-file /dev/full base theirs
? 255
2> error: '/dev/full' is larger than 1072693248 bytes
