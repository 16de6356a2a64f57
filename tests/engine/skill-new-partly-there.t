# a skill does not take over incomplete changes: they are asked about as usual
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- src/app.txt --
one
two
three
four
five
-- src/other.txt --
1
2
3
== run ==
$ nanoclaw init -q
$ sed -i 's/two/2/' src/app.txt
$ sed -i 's/2/two/' src/other.txt
$ nanoclaw skill new mine --from-changes -q
$ sed -i 's/five/5/' src/app.txt
$ nanoclaw skill apply mine
? 2
2> error: You have unrecorded changes in 'src/app.txt' and 'src/other.txt'. Not a terminal, cannot ask
2> hint: choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'
$ nanoclaw skill apply mine --on-drift continue
> mine 1.0.0 applied
>   as it is  src/app.txt
>   as it is  src/other.txt
$ nanoclaw status
> core 1.0.0
>   mine 1.0.0
>
> your unrecorded changes:
>   edited    src/app.txt
== after ==
-- src/app.txt --
one
2
three
four
5
-- src/other.txt --
1
two
3
