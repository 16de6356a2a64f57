# the new core changes a file that one patch deletes and the next one adds again
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
1
2
3
4
5
-- data/new/VERSION --
1.1.0
-- data/new/f --
core
2
3
4
5
== run ==
$ nanoclaw -q init; sed -i s/1/first/ f; nanoclaw -q customize record first
> recorded as 001-first
$ rm f; nanoclaw -q customize record gone
> recorded as 002-gone
$ printf '1\n2\n3\n4\n5\nmine\n' >f; nanoclaw -q customize record mine
> recorded as 003-mine
$ nanoclaw -q --yes update data/new
> Core updated: 1.0.0 → 1.1.0
$ cat f
> core
> 2
> 3
> 4
> 5
> mine
# The first patch no longer fits, but the second still deletes the file, and all of it belongs
# to the third.
$ grep -c files_unsplit .nanoclaw/state.yaml
? 1
> 0
$ nanoclaw verify
> 11 files checked: all as recorded
$ nanoclaw customize remove 003
> 003-mine removed
>   removed   f
== after ==
-- VERSION --
1.1.0
-- !f --
