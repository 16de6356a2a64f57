# hexadecimal content is checked
# says: parse-hex.t:3: 'file' is not hexadecimal
-- file [hex] --
0g
== run ==
$ true
