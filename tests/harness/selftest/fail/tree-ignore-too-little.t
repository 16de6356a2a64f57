# a pattern within a name does not reach into folders
# says: 'a/b' is there and should not be
ignore: *b
-- a/ --
== run ==
$ touch a/b
