# merge-file shows the base and other names on request, and changes nothing with -p
-- ours --
mine
-- base --
old
-- theirs --
yours
== run ==
$ nanoclaw merge-file -p --diff3 -L "my file" -L original -Lyours ours base theirs
? 1
> <<<<<<< my file
> mine
> ||||||| original
> old
> =======
> yours
> >>>>>>> yours
$ nanoclaw merge-file -p --marker-size=3 ours base theirs
? 1
> <<< ours
> mine
> ===
> yours
> >>> theirs
$ nanoclaw merge-file ours --theirs base -p theirs
> yours
$ nanoclaw merge-file -p --uni ours base theirs
> mine
> yours
