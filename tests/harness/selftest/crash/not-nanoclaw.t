# a command that is not nanoclaw is no crash test
# fails: no calls were counted
-- file --
old
== run ==
$! echo new >file
