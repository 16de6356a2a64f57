# global options may stand anywhere before a double dash
-- folder/ours --
mine
-- folder/base --
old
-- folder/theirs --
yours
== run ==
$ nanoclaw -C folder merge-file -p --theirs ours base theirs
> yours
$ nanoclaw merge-file -p --theirs ours base theirs -C folder
> yours
$ nanoclaw merge-file -p --theirs -Cfolder -- ours base theirs
> yours
$ nanoclaw merge-file -p --theirs -- ours base theirs -C folder
? 129
2> ...
