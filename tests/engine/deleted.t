# a file that the user deleted is a question: without an answer exit 2
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- b.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt, a.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/x/modify/b.txt --
ONE
== run ==
$ nanoclaw -q init
$ rm a.txt
$ nanoclaw skill apply --on-drift continue x
? 2
2> error: You deleted 'a.txt', and skill 'x' changes it. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to restore it, with the skill's changes
$ nanoclaw --json skill apply --on-drift continue x
? 2
> {
>   "error": "You deleted 'a.txt', and skill 'x' changes it. Not a terminal, cannot ask",
>   "hint": "run it on a terminal, or with '--yes' to restore it, with the skill's changes",
>   "success": false,
>   "untrackedChanges": [
>     "a.txt"
>   ]
> }
2> error: You deleted 'a.txt', and skill 'x' changes it. Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to restore it, with the skill's changes
$ cat b.txt
> one
$ nanoclaw --yes skill apply x
> your changes are recorded as 001-changes-to-a-txt
> x 1.0.0 applied
>   merged    b.txt
>   restored  a.txt
== after ==
-- a.txt --
ONE
-- b.txt --
ONE
