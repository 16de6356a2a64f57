# killed inside a test: other files that the test changed are restored, and the changed ones kept
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- deep/er/f.txt --
f
-- gone.txt --
gone
-- link -> b.txt --
-- mine.txt --
m
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt, z.txt]
-- skills/y/add/y.txt --
y
-- skills/y/add/z.txt --
z
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: "echo edited >b.txt; echo edited >>mine.txt; echo edited >y.txt; chmod 600 z.txt; rm gone.txt link; ln -s y.txt link; rm -r deep; echo >begun; exec sleep 1000"
-- skills/x/modify/a.txt --
ONE
-- killed --
# Kill the command when its test has written to the pipe.
mkfifo begun
"$@" &
read -r line <begun
kill -KILL $!
wait $!
rm begun
== run ==
$ nanoclaw -q skill apply y
> y 1.0.0 applied
$ echo mine >>mine.txt
$ sh killed nanoclaw -q skill apply --on-drift continue x 2>/dev/null
$ nanoclaw status
> core 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    mine.txt
2> warning: 'skill apply' was interrupted and has been rolled back
2> warning: 'link' was changed by a command or later; that version is in '.nanoclaw/kept/link'
2> warning: 'mine.txt' was changed by a command or later; that version is in '.nanoclaw/kept/mine.txt'
2> warning: 'y.txt' was changed by a command or later; that version is in '.nanoclaw/kept/y.txt'
2> warning: 'z.txt' was changed by a command or later; that version is in '.nanoclaw/kept/z.txt'
2> warning: 'b.txt' was changed by a command or later; that version is in '.nanoclaw/kept/b.txt'
$ stat -c %a z.txt
> 644
$ cat .nanoclaw/kept/b.txt .nanoclaw/kept/mine.txt .nanoclaw/kept/y.txt; readlink .nanoclaw/kept/link
> edited
> m
> mine
> edited
> edited
> y.txt
# A list that is not whole was not on the disk when the power failed: no command had begun.
$ sh killed nanoclaw -q skill apply --on-drift continue x 2>/dev/null; sed -i '$d' .nanoclaw/tx/guard/list; rm .nanoclaw/tx/guard/[0-9]*
$ nanoclaw status
> core 1.0.0
>   y 1.0.0
>
> your unrecorded changes:
>   edited    b.txt
>   deleted   deep/er/f.txt
>   deleted   gone.txt
>   type      link
>   edited    mine.txt
>   edited    y.txt
2> warning: 'skill apply' was interrupted and has been rolled back
$ nanoclaw -q replay --on-drift continue
$ echo b >b.txt; echo y >y.txt; ln -sf b.txt link; chmod 644 z.txt
== after ==
-- mine.txt --
m
mine
edited
-- y.txt --
y
-- z.txt --
z
