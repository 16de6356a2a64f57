# merge-file refuses binary files and leaves them alone
-- ours [hex] --
00
-- base --
-- theirs --
x
== run ==
$ nanoclaw merge-file ours base theirs
? 255
2> error: cannot merge binary files: 'ours'
