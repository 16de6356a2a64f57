# a scenario without a mark is not crashed
# skips
-- file --
== run ==
$ nanoclaw in-place file
