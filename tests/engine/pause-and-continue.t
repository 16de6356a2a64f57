# a conflict pauses the operation; when it is resolved, continue does the rest
# ending: the base was changed by hand
unlisted: .nanoclaw/base.sha256 .nanoclaw/state.yaml .nanoclaw/applied .nanoclaw/backup .nanoclaw/objects .nanoclaw/hunks .nanoclaw/rr-cache .nanoclaw/settled.yaml
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
adds: [new/n.txt]
-- skills/first/add/new/n.txt --
new
-- skills/first/modify/a.txt --
ONE
-- skills/first/modify/b.txt --
B
-- skills/second/manifest.yaml --
skill: second
version: 2.0.0
core_version: 1.0.0
adds: [last.txt]
-- skills/second/add/last.txt --
last
== run ==
$ echo mine > a.txt
$ nanoclaw -q init --core-version 1.0.0
$ echo one > .nanoclaw/base/a.txt
$! nanoclaw skill apply --on-drift continue first second
? 3
> first 1.0.0 paused
>   added     new/n.txt
>   CONFLICT  a.txt
>   merged    b.txt
> second 2.0.0 waits until the conflict is resolved
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt
> <<<<<<< yours
> mine
> ||||||| core 1.0.0
> one
> =======
> ONE
> >>>>>>> first 1.0.0
$ nanoclaw skill apply second
? 4
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
$ nanoclaw continue
? 3
> ...
2> warning: 'a.txt' still has conflict markers
$ echo ONE and mine > a.txt
$! nanoclaw continue
> first 1.0.0 applied
> second 2.0.0 applied
>   added     last.txt
$ nanoclaw continue
? 2
2> error: no operation is paused: there is nothing to continue
== after ==
-- a.txt --
ONE and mine
-- b.txt --
B
-- new/n.txt --
new
-- last.txt --
last
-- .nanoclaw/base/VERSION --
1.0.0
-- .nanoclaw/base/a.txt --
one
-- .nanoclaw/base/b.txt --
b
