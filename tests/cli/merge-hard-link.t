# merge-file keeps the other names of a file
-- ours --
one
-- base --
one
-- theirs --
two
== run ==
$ ln ours other-name
$ nanoclaw merge-file ours base theirs
$ test ours -ef other-name
== after ==
-- ours --
two
-- other-name --
two
