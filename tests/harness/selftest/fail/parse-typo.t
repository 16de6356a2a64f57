# a line that is none is a failure
# says: parse-typo.t:5: expected '$', '$!', '<', '?', '>' or '2>': '>text'
== run ==
$ echo text
>text
