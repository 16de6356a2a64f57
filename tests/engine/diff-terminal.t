# on a terminal diff is coloured, shows control characters harmlessly, and no binary data
needs: script
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a --
one
two
-- b [hex] --
00
-- dos [crlf] --
one
two
== run ==
$ nanoclaw -q init
$ printf 'one\n\033[31mred\302\233\377\n' >a; printf '\0\1' >b; sed -i 's/two/2/' dos
$ PAGER=cat TERM=xterm script -qec 'nanoclaw diff' /dev/null
> [1b][1mdiff --git a/a b/a[1b][0m[0d]
> [1b][1mindex 814f4a422927b82f5f8a43f8fab6d3839e3983f2..74e7e685aaffeca671cbd51d3e829027b80dc088 100644[1b][0m[0d]
> [1b][1m--- a/a[1b][0m[0d]
> [1b][1m+++ b/a[1b][0m[0d]
> [1b][36m@@ -1,2 +1,2 @@[1b][0m[0d]
>  one[0d]
> [1b][31m-two[1b][0m[0d]
> [1b][32m+^[[31mred<U+009B><FF>[1b][0m[0d]
> [1b][1mdiff --git a/b b/b[1b][0m[0d]
> [1b][1mindex f76dd238ade08917e6712764a16a22005a50573d..bdc955b7b2e610ad5a72302b139a2e6cb325519a 100644[1b][0m[0d]
> binary file[0d]
> [1b][1mdiff --git a/dos b/dos[1b][0m[0d]
> [1b][1mindex 4e349b596c5c9d38a82829fafbaf52281c21e319..796f13624f05078e363e6841c3a8a22395de3de1 100644[1b][0m[0d]
> [1b][1m--- a/dos[1b][0m[0d]
> [1b][1m+++ b/dos[1b][0m[0d]
> [1b][36m@@ -1,2 +1,2 @@[1b][0m[0d]
>  one[0d]
> [1b][31m-two^M[1b][0m[0d]
> [1b][32m+2^M[1b][0m[0d]
$ PAGER=cat TERM=xterm NO_COLOR=1 script -qec 'nanoclaw diff a' /dev/null
> diff --git a/a b/a[0d]
> index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..74e7e685aaffeca671cbd51d3e829027b80dc088 100644[0d]
> --- a/a[0d]
> +++ b/a[0d]
> @@ -1,2 +1,2 @@[0d]
>  one[0d]
> -two[0d]
> +^[[31mred<U+009B><FF>[0d]
$ PAGER=cat TERM=xterm script -qec 'nanoclaw diff --by a dos' /dev/null
> [1b][1ma[1b][0m[0d]
> [1b][2mcore[1b][0m  1  one[0d]
> [1b][32myou [1b][0m  2  ^[[31mred<U+009B><FF>[0d]
>   1 [1b][2mcore[1b][0m, 1 [1b][32myou[1b][0m[0d]
> [0d]
> [1b][1mdos[1b][0m[0d]
> [1b][2mcore[1b][0m  1  one[0d]
> [1b][32myou [1b][0m  2  2[0d]
>   1 [1b][2mcore[1b][0m, 1 [1b][32myou[1b][0m[0d]
