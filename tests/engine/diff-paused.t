# during a pause diff compares conflicts with what was recorded before, and the rest with what is new
unlisted: .nanoclaw
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt, b.txt]
-- skills/first/modify/a.txt --
ONE
-- skills/first/modify/b.txt --
B
== run ==
$ nanoclaw -q init
$ echo mine >a.txt; nanoclaw -q skill apply --on-drift continue first >/dev/null
? 3
$ nanoclaw diff
> diff --git a/a.txt b/a.txt
> index 5626abf0f72e58d7a153368ba57db4c673c0e171..80d6b3e7dcde6d75c42b4a3b55f89619706adcf4 100644
> --- a/a.txt
> +++ b/a.txt
> @@ -1 +1,7 @@
> +<<<<<<< yours
> +mine
> +||||||| core 1.0.0
>  one
> +=======
> +ONE
> +>>>>>>> first 1.0.0
$ echo more >>b.txt; nanoclaw diff b.txt
> diff --git a/b.txt b/b.txt
> index 223b7836fb19fdf64ba2d3cd6173c6a283141f78..c01702d50cf1a95675d2449d2f1b8032532218f5 100644
> --- a/b.txt
> +++ b/b.txt
> @@ -1 +1,2 @@
>  B
> +more
$ nanoclaw diff --by
> a.txt
> you    1  <<<<<<< yours
>        2  mine
>        3  ||||||| core 1.0.0
> core   4  one
> you    5  =======
> first  6  ONE
> you    7  >>>>>>> first 1.0.0
>   1 core, 1 skill first, 5 you
>
> b.txt
> first  1  B
> you    2  more
>   1 skill first, 1 you
$ printf 'ONE\nand mine\n' >a.txt; nanoclaw -q continue
> first 1.0.0 applied
$ nanoclaw diff --by a.txt
> a.txt
> first  1  ONE
> you    2  and mine
>   1 skill first, 1 you
