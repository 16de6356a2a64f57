# merge-file keeps the permissions, and writes to where a link leads
recover: -
leftover: **/.nanoclaw-tmp-*
-- tools/real [755] --
one
2
3
-- link -> tools/real --
-- base --
one
2
3
-- theirs --
one
2
three
== run ==
$! nanoclaw merge-file link base theirs
== after ==
-- tools/real [755] --
one
2
three
