# an update, a skill and 'init' itself are undone in one go: nothing of them is left
recover: nanoclaw -C p status
-- p/VERSION --
1.0.0
-- p/a.txt --
one
two
three
four
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- p/skills/x/modify/a.txt --
one x
two
three
four
-- new/VERSION --
2.0.0
-- new/a.txt --
one
two
three
four core
-- new/b.txt --
b
== run ==
$ nanoclaw -C p -q init; nanoclaw -C p -q skill apply x; nanoclaw -C p --yes -q update ../new; cat p/a.txt
> x 1.0.0 applied
> Core updated: 1.0.0 → 2.0.0
> one x
> two
> three
> four core
$ nanoclaw -C p undo 4; nanoclaw -C p undo 2 --dry-run
> would undo 'update core 2.0.0'
> would undo 'skill apply x'
>   restored  VERSION
>   restored  a.txt
>   removed   b.txt
2> error: only 3 operations can be undone
2> hint: 'nanoclaw undo --list' lists what can be undone
$ echo mine >p/.nanoclaw/base/b.txt; nanoclaw -C p undo 3
? 2
2> error: '.nanoclaw/base/b.txt' has changed since 'update'
2> hint: nothing was changed; 'nanoclaw verify' shows more
$ echo b >p/.nanoclaw/base/b.txt; chmod 644 p/.nanoclaw/base/b.txt
$! nanoclaw -C p undo 3
> 'update core 2.0.0' is undone
> 'skill apply x' is undone
> 'init' is undone
>   restored  VERSION
>   restored  a.txt
>   removed   b.txt
$ ls -A p
> VERSION
> a.txt
> skills
