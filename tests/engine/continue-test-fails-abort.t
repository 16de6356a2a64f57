# abort after a failed continue leads back to the beginning
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
adds: [n.txt]
test: "false"
-- skills/x/modify/a.txt --
ONE
-- skills/x/add/n.txt --
n
== run ==
$ nanoclaw -q init
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo settled > a.txt
$ nanoclaw -q --json continue
? 5
> {
>   "error": "the test of skill 'x' failed with exit code 1: false",
>   "hint": "it is still paused, and your files are as they were: fix them and run 'nanoclaw continue', or 'nanoclaw abort'",
>   "success": false
> }
2> error: the test of skill 'x' failed with exit code 1: false
2> hint: it is still paused, and your files are as they were: fix them and run 'nanoclaw continue', or 'nanoclaw abort'
$ nanoclaw abort
> everything is as it was before 'skill apply'
2> warning: 'a.txt' was edited since then; your version is in '.nanoclaw/kept/a.txt'
== after ==
-- .nanoclaw/kept/a.txt --
settled
-- a.txt --
mine
