# merge-file --json reports its result to programs
-- ours --
mine
-- base --
old
-- theirs --
yours
== run ==
$ nanoclaw merge-file --json --ours ours base theirs
> {
>   "conflicts": 0,
>   "file": "ours",
>   "success": true
> }
$ nanoclaw merge-file --json ours base theirs
? 1
> {
>   "conflicts": 1,
>   "file": "ours",
>   "success": false
> }
== after ==
-- ours [hex] --
3c3c3c3c3c3c3c206f7572730a
6d696e650a
3d3d3d3d3d3d3d0a
796f7572730a
3e3e3e3e3e3e3e207468656972730a
