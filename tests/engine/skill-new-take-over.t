# a skill created from the changes in the tree takes them over, and can be removed
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
four
five
six
-- src/old.txt --
first
second
third
fourth
-- src/gone.txt --
never used
== run ==
$ nanoclaw init -q
$ sed -i 's/two/2/' src/app.txt
$ echo new > src/new.txt
$ rm src/gone.txt
$ mv src/old.txt src/moved.txt && sed -i 's/third/3rd/' src/moved.txt
$ nanoclaw skill new mine --from-changes -q
$! nanoclaw skill apply mine --dry-run
> mine 1.0.0 would be applied
>   deleted   src/gone.txt
>   renamed   src/old.txt -> src/moved.txt
>   added     src/new.txt
>   merged    src/app.txt
>   merged    src/moved.txt
$! nanoclaw skill apply mine
> mine 1.0.0 applied
>   deleted   src/gone.txt
>   renamed   src/old.txt -> src/moved.txt
>   added     src/new.txt
>   merged    src/app.txt
>   merged    src/moved.txt
$ nanoclaw status
> core 1.0.0
>   mine 1.0.0
$ nanoclaw verify
> 11 files checked: all as recorded
$ nanoclaw diff --by src/app.txt
> src/app.txt
> core  1  one
> mine  2  2
> core  3  three
>       4  four
>       5  five
>       6  six
>   5 core, 1 skill mine
== after ==
-- src/app.txt --
one
2
three
four
five
six
-- !src/gone.txt --
-- src/moved.txt --
first
second
3rd
fourth
-- src/new.txt --
new
-- !src/old.txt --
