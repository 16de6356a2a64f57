# changes that are left unrecorded stay so in a file with a resolved conflict
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
6
7
-- skills/p/manifest.yaml --
skill: p
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/p/modify/a.txt --
1
p
3
4
5
6
7
-- skills/q/manifest.yaml --
skill: q
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/q/modify/a.txt --
1
q
3
4
5
6
7
== run ==
$ nanoclaw -q skill apply p; sed -i 's/^6/mine/' a.txt
> p 1.0.0 applied
$ nanoclaw -q skill apply q --on-drift continue >/dev/null
? 3
$ printf '%s\n' 1 p q 3 4 5 mine 7 >a.txt; nanoclaw -q continue; nanoclaw status; nanoclaw diff
> q 1.0.0 applied
> core 1.0.0
>   p 1.0.0
>   q 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
> diff --git a/a.txt b/a.txt
> index 4357a5dca84fa75bff7e350b959f19eb02279119..8525b303504e701776814a621e78ecdd977f79ee 100644
> --- a/a.txt
> +++ b/a.txt
> @@ -4,5 +4,5 @@
>  3
>  4
>  5
> -6
> +mine
>  7
# The learned resolution resolves the same conflict again.
$ nanoclaw -q skill remove q --on-drift continue; cat a.txt; nanoclaw -q skill apply q --on-drift continue; cat a.txt; nanoclaw -q status
> q 1.0.0 removed
> 1
> p
> 3
> 4
> 5
> mine
> 7
> q 1.0.0 applied
> 1
> p
> q
> 3
> 4
> 5
> mine
> 7
> core 1.0.0
>   p 1.0.0
>   q 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
== after ==
-- a.txt --
1
p
q
3
4
5
mine
7
