# where renamed files cannot be looked for, a deletion is not shown as one
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
== run ==
$ nanoclaw -q init
$ head -c 17000000 /dev/zero | tr '\0' x >.nanoclaw-ignore; echo b >>a.txt; nanoclaw diff | tail -1
> +b
$ rm a.txt; nanoclaw diff
? 2
2> error: '.nanoclaw-ignore' is larger than 16777216 bytes
$ rm .nanoclaw-ignore
== after ==
-- !a.txt --
