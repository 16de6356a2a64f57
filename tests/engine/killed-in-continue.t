# killed in continue: still paused, with what was resolved
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [m.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/x/add/m.txt --
n
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
test: "kill -9 $PPID"
-- skills/y/add/n.txt --
n
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x y
? 3
> x 1.0.0 paused
> y 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo settled > a.txt
$ ln -s /bin/false ~/unshare # without a sandbox, a command can kill us
$ PATH=~:$PATH nanoclaw continue
? 137
2> warning: commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
2> Killed
$ nanoclaw status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a.txt  (x; resolved)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
2> warning: 'continue' was interrupted and has been rolled back
$ cat a.txt
> settled
$ ls
> VERSION
> a.txt
> m.txt
> skills
$ nanoclaw continue --no-test
> x 1.0.0 applied
> y 1.0.0 applied
>   added     n.txt
== after ==
-- a.txt --
settled
-- m.txt --
n
-- n.txt --
n
