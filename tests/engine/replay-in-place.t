# in place, what is missing comes back, also what nanoclaw keeps; what you changed stays
unlisted: .nanoclaw a.txt b.txt c.txt x.txt
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- b.txt --
b
-- c.txt --
c
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
modifies: [a.txt]
test: test -f x.txt
-- skills/x/add/x.txt --
x
-- skills/x/modify/a.txt --
ONE
two
three
== run ==
$ nanoclaw -q skill apply x; echo mine >>b.txt; nanoclaw -q customize start s --on-drift record; nanoclaw -q customize abort
> x 1.0.0 applied
> your changes are recorded as 001-changes-to-b-txt
$ nanoclaw replay; nanoclaw replay --no-test
> 1 skill and 1 patch replayed: 3 files are as recorded
> 1 test passed
> 1 skill and 1 patch replayed: 3 files are as recorded
$ rm x.txt c.txt .nanoclaw/applied/x; echo edited >>a.txt; find .nanoclaw/objects -type f -delete; nanoclaw verify >/dev/null
? 1
$ nanoclaw replay --on-drift abort
? 1
2> error: 'a.txt', 'c.txt' and 'x.txt' changed, and the changes are not recorded; nothing was done
2> hint: 'nanoclaw diff' shows the changes; '--on-drift record' records them, '--on-drift continue' leaves them unrecorded
$ nanoclaw replay --dry-run
> 1 skill and 1 patch would be replayed: 3 files are as recorded
>   package   .nanoclaw/applied/x: the pack is missing; the skill is taken from the package 'skills/x'
>   edited    a.txt: edited by you since; it stays as it is
>   restored  c.txt: it was missing, and is restored
>   restored  x.txt: it was missing, and is restored
> would run the test of x: test -f x.txt
$! nanoclaw -v replay
> 1 skill and 1 patch replayed: 3 files are as recorded
>   package   .nanoclaw/applied/x: the pack is missing; the skill is taken from the package 'skills/x'
>   edited    a.txt: edited by you since; it stays as it is
>             recorded d90163630a64, got a2d33dd12754
>   restored  c.txt: it was missing, and is restored
>             recorded a3a5e715f0cc, got nothing
>   restored  x.txt: it was missing, and is restored
>             recorded 73cb3858a687, got nothing
> 1 test passed
$ cat a.txt b.txt c.txt x.txt; nanoclaw verify
? 1
> ONE
> two
> three
> edited
> b
> mine
> c
> x
> 13 files checked: 1 changed by you, 0 damaged
>
> your unrecorded changes ('nanoclaw customize record' records them):
>   edited    a.txt  (skill x, d90163630a64, now a2d33dd12754)
$! nanoclaw replay --on-drift record
> your changes are recorded as 002-changes-to-a-txt
> 1 skill and 2 patches replayed: 3 files are as recorded
> 1 test passed
$ nanoclaw verify; nanoclaw -q undo; nanoclaw status
> 16 files checked: all as recorded
> core 1.0.0
>   x 1.0.0
>   001-changes-to-b-txt (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
# '--yes' records edits, and not that a file is gone; '--on-drift record' does.
$ rm x.txt c.txt; nanoclaw --yes replay --no-test; cat c.txt x.txt
> your changes are recorded as 002-changes-to-a-txt
> 1 skill and 2 patches replayed: 3 files are as recorded
>   restored  c.txt: it was missing, and is restored
>   restored  x.txt: it was missing, and is restored
> c
> x
$ rm x.txt; nanoclaw --yes replay; cat x.txt
> 1 skill and 2 patches replayed: 3 files are as recorded
>   restored  x.txt: it was missing, and is restored
> 1 test passed
> x
$ rm c.txt; nanoclaw --yes replay --on-drift record --no-test; ls c.txt
? 2
> your changes are recorded as 003-changes-to-c-txt
> 1 skill and 3 patches replayed: 4 files are as recorded
2> ls: cannot access 'c.txt': No such file or directory
