# a skill that has taken changes over takes them out again when it goes
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
-- src/old.txt --
first
second
third
fourth
== run ==
$ nanoclaw init -q
$ sed -i 's/two/2/' src/app.txt
$ echo new > src/new.txt
$ mv src/old.txt src/moved.txt && sed -i 's/third/3rd/' src/moved.txt
$ nanoclaw skill new mine --from-changes -q
$ nanoclaw skill apply mine -q
> mine 1.0.0 applied
$ nanoclaw skill remove mine
> mine 1.0.0 removed
>   merged    src/app.txt
>   removed   src/new.txt
>   renamed   src/moved.txt -> src/old.txt
$ nanoclaw status
> core 1.0.0
