# a path out of the scenario is a failure
# says: parse-outside.t:3: not a path within the scenario: '../file'
-- ../file --
== run ==
$ true
