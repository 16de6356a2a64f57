# edits between a crash and the next command are kept and reported
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
b
-- c.txt --
c
-- d.txt --
d
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt, m.txt, o.txt]
modifies: [a.txt, b.txt, c.txt, d.txt]
test: "kill -9 $PPID"
-- skills/x/add/n.txt --
new
-- skills/x/add/m.txt --
m
-- skills/x/add/o.txt --
o
-- skills/x/modify/a.txt --
ONE
-- skills/x/modify/b.txt --
B
-- skills/x/modify/c.txt --
C
-- skills/x/modify/d.txt --
D
== run ==
$ nanoclaw -q init
$ ln -s /bin/false ~/unshare # without a sandbox, a command can kill us
$ PATH=~:$PATH nanoclaw skill apply x
? 137
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
2> Killed
$ echo edit >> a.txt; echo edit >> n.txt; rm m.txt c.txt; chmod 600 d.txt
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    d.txt
2> warning: 'skill apply' was interrupted and has been rolled back
2> warning: 'd.txt' was edited since then and stays as it is; the old version is in '.nanoclaw/kept/d.txt'
2> warning: 'a.txt' was edited since then and stays as it is; the old version is in '.nanoclaw/kept/a.txt'
2> warning: 'n.txt' was edited since then and stays
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
>   edited    d.txt
== after ==
-- .nanoclaw/kept/a.txt --
one
-- .nanoclaw/kept/d.txt --
d
-- a.txt --
ONE
edit
-- d.txt [600] --
D
-- n.txt --
new
edit
