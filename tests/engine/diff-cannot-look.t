# where renamed files cannot be looked for, or there is no base, nothing is shown
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
$ rm .nanoclaw-ignore; mv .nanoclaw/base base; nanoclaw diff
? 1
2> error: cannot open the base, '.nanoclaw/base': no such file or directory
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ mv base .nanoclaw/base
== after ==
-- !a.txt --
