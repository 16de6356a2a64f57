# a change that a file already has counts as applied, even right beside others; of half a change, the other half is applied
ignore: *
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
8
9
== run ==
$ nanoclaw -q init; nanoclaw -q customize start one; echo p1 >>a.txt; sed -i 's/^2$/2 one/' a.txt; nanoclaw -q customize commit
> recorded as 001-one
$ nanoclaw -q customize start two; echo p2 >>a.txt; sed -i 's/^6$/6 two/; /^8$/d' a.txt; nanoclaw -q customize commit
> recorded as 002-two
$ nanoclaw customize apply 001; nanoclaw customize apply 002
> 001-one applied
>   as it is  a.txt
> 002-two applied
>   as it is  a.txt
$ sed -i 's/ one//' a.txt; nanoclaw customize apply 001; cat a.txt; nanoclaw -q status
> 001-one applied
>   merged    a.txt
> 1
> 2 one
> 3
> 4
> 5
> 6 two
> 7
> 9
> p1
> p2
> core 1.0.0
>   001-one (custom patch)
>   002-two (custom patch)
$ sed -i 's/^7$/7\n8/' a.txt; nanoclaw customize apply 002; nanoclaw -q status
> 002-two applied
>   merged    a.txt
> core 1.0.0
>   001-one (custom patch)
>   002-two (custom patch)
