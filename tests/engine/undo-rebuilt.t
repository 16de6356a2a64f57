# a rebuild can be undone, though that brings the damage back
unlisted: **
-- VERSION --
1.0.0
-- a.txt --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: test -f x.txt
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q skill apply x; rm .nanoclaw/state.yaml; nanoclaw -q doctor --fix; nanoclaw verify
> x 1.0.0 applied
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> 6 files checked: all as recorded
$ nanoclaw undo; ls .nanoclaw
> 'doctor --fix' is undone
> applied
> base
> base.sha256
> history
> lock
2> warning: it is as damaged as before, and no test was run: '.nanoclaw/base' exists, but '.nanoclaw/state.yaml' does not
$ nanoclaw status
? 2
2> error: '.nanoclaw/base' exists, but '.nanoclaw/state.yaml' does not
2> hint: restore '.nanoclaw/state.yaml' from a copy, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ nanoclaw undo
? 2
2> error: '.nanoclaw/base' exists, but '.nanoclaw/state.yaml' does not
2> hint: restore '.nanoclaw/state.yaml' from a copy, or let 'nanoclaw doctor --fix' rebuild it from what is left
$ nanoclaw -q doctor --fix; nanoclaw verify
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> 6 files checked: all as recorded
$ rm -r .nanoclaw/base .nanoclaw/applied; nanoclaw -q doctor --fix; nanoclaw verify; nanoclaw -q undo; ls .nanoclaw; nanoclaw -q doctor --fix; nanoclaw verify
> 6 files checked: all as recorded
> base.sha256
> history
> index
> lock
> state.yaml
> 6 files checked: all as recorded
# Undamaged files are tested as usual.
$ rm x.txt; nanoclaw -q --yes doctor --fix; cat x.txt; nanoclaw undo
? 5
> x
2> error: the test of skill 'x' failed with exit code 1: test -f x.txt
2> hint: everything is as it was before
