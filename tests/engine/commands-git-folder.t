# a folder '.git' in a package, which is not that of a clone, is part of what a person agrees to
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: sh skills/x/tests/.git/x.sh
-- skills/x/add/x.txt --
x
-- make --
mkdir -p skills/x/tests/.git skills/x/.git
echo "$1" > skills/x/tests/.git/x.sh
-- ask --
unset NANOCLAW_ALLOW_COMMANDS
exec nanoclaw "$@"
== run ==
$ nanoclaw -q init; sh make true; sh ask -q --yes skill apply x 2>/dev/null; sh ask -q skill remove x; : > skills/x/.git/index; sh ask -q skill apply x; sh ask -q skill remove x
> x 1.0.0 applied
> x 1.0.0 removed
> x 1.0.0 applied
> x 1.0.0 removed
$ sh make 'echo > ../other'; sh ask skill apply x
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     runs as its test: sh skills/x/tests/.git/x.sh
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ test ! -e ../other; rm -r skills/x/.git skills/x/tests
