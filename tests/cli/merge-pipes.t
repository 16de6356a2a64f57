# merge-file reads a pipe to its end, and does not wait for one that it should write to
-- ours --
mine
-- base --
mine
-- theirs --
yours
== run ==
$ nanoclaw merge-file -p ours base /dev/stdin < theirs
> yours
$ cat theirs | nanoclaw merge-file -p ours base /dev/stdin
> yours
$ mkfifo pipe; nanoclaw merge-file pipe base theirs; code=$?; rm pipe; exit $code
? 255
2> error: 'pipe' is a pipe, which cannot be replaced
2> hint: '-p' prints the result
$ nanoclaw merge-file /dev/null base theirs
? 1
