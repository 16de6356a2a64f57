# a patch that is rewritten after a conflict with the new core keeps its renames
unlisted: p/.nanoclaw
ignore: *
-- p/VERSION --
0.5.0
-- p/a.txt --
core 1
core 2
core 3
core 4
-- new/VERSION --
0.6.0
-- new/a.txt --
core 1, new
core 2
core 3
core 4
== run ==
$ nanoclaw -q -C p init; cd p; mv a.txt b.txt; sed -i 's/core 1/mine/' b.txt; nanoclaw -q customize record mine
> recorded as 001-mine
$ nanoclaw -q --yes -C p update ../new >/dev/null
? 3
$ sed -i '1,/^>>>>>>>/d' p/b.txt; sed -i '1i mine, new' p/b.txt; nanoclaw -q -C p continue
> Core updated: 0.5.0 → 0.6.0
$ cd p; grep -v ^index .nanoclaw/custom/*.patch; cat b.txt; nanoclaw verify; nanoclaw replay
> diff --git a/a.txt b/b.txt
> similarity index 63%
> rename from a.txt
> rename to b.txt
> --- a/a.txt
> +++ b/b.txt
> @@ -1,4 +1,4 @@
> -core 1, new
> +mine, new
>  core 2
>  core 3
>  core 4
> mine, new
> core 2
> core 3
> core 4
> 8 files checked: all as recorded
> 0 skills and 1 patch replayed: 2 files are as recorded
