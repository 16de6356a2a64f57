# the user's git is not touched, in the middle of a merge and with staged changes
needs: git sha256sum
ignore: .git
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
-- m.txt --
m
-- s.txt --
s
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [n.txt]
modifies: [a.txt, s.txt]
-- skills/x/modify/a.txt --
ONE
-- skills/x/modify/s.txt --
S
-- skills/x/add/n.txt --
new
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
adds: [y.txt]
test: "false"
-- skills/y/add/y.txt --
y
== run ==
$ git init -q -b main . && git add -A && git commit -qm core
$ git checkout -qb side && echo side > m.txt && git commit -qam side && git checkout -q main && echo main > m.txt && git commit -qam main
$ git merge side > /dev/null
? 1
$ echo staged > s.txt && git add s.txt && echo more >> s.txt
$ git stash list; test -f .git/MERGE_HEAD
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum > ../git-before
$ nanoclaw -q init
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum | cmp - ../git-before
$ echo mine > a.txt
$ nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum | cmp - ../git-before
$ nanoclaw -q status
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a.txt  (x)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw skill list > ../list
$ nanoclaw skill check skills/x > ../list
$ nanoclaw -q abort
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum | cmp - ../git-before
$ nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ echo both > a.txt; echo both > s.txt
$ nanoclaw -q continue
> x 1.0.0 applied
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum | cmp - ../git-before
$ nanoclaw -q skill apply --on-drift continue y
? 5
2> error: the test of skill 'y' failed with exit code 1: false
2> hint: everything is as it was before
$ (find .git -printf '%p %m %T@\n'; find .git -type f -exec sha256sum {} +) | sort | sha256sum | cmp - ../git-before
$ git status --short | head -3
>  M a.txt
> UU m.txt
> MM s.txt
== after ==
-- a.txt --
both
-- m.txt --
<<<<<<< HEAD
main
=======
side
>>>>>>> side
-- n.txt --
new
-- s.txt --
both
