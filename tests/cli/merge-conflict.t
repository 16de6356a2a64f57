# merge-file marks a conflict, and its exit code is the number of them
recover: -
leftover: .nanoclaw-tmp-*
-- ours --
a
1
b
c
d
e
f
1
-- base --
a
0
b
c
d
e
f
0
-- theirs --
a
2
b
c
d
e
f
2
== run ==
$! nanoclaw merge-file ours base theirs
? 2
== after ==
-- ours [hex] --
610a
3c3c3c3c3c3c3c206f7572730a
310a
3d3d3d3d3d3d3d0a
320a
3e3e3e3e3e3e3e207468656972730a
620a630a640a650a660a
3c3c3c3c3c3c3c206f7572730a
310a
3d3d3d3d3d3d3d0a
320a
3e3e3e3e3e3e3e207468656972730a
