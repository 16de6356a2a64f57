# merge-file keeps two changes that are apart from each other
recover: -
leftover: .nanoclaw-tmp-*
-- ours --
ONE
two
three
-- base --
one
two
three
-- theirs --
one
two
THREE
== run ==
$! nanoclaw merge-file ours base theirs
== after ==
-- ours --
ONE
two
THREE
