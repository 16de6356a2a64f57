# an unknown directive is a failure
# says: parse-directive.t:3: not a directive: 'neds: git'
neds: git
== run ==
$ true
