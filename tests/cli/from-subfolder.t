# in a folder of a project, commands work on the project
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- deep/er/a.txt --
one
== run ==
$ nanoclaw -q init
$ cd deep/er; echo two >>a.txt; nanoclaw diff | grep '^[-+]'
> --- a/deep/er/a.txt
> +++ b/deep/er/a.txt
> +two
$ cd deep/er; nanoclaw status | head -n 1
> core 1.0.0
== after ==
-- deep/er/a.txt --
one
two
