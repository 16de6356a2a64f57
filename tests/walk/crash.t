# wherever a choice is cut off, each file is as before it or after it, and nothing is left over
needs: script
ignore: p work out calls typed
-- p/VERSION --
1.0.0
-- p/f --
1
-- p/logo [hex] --
00 01
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f, logo]
-- p/skills/x/modify/f --
skill 1
-- p/skills/x/modify/logo [hex] --
00 02
-- walk [755] --
#!/bin/sh
# Take the skill's side of both files, with a fault.
rm -rf work
cp -a p work
# The pipe stays open: script would wait for a reader of its end.
[ -p typed ] || mkfifo typed
exec 3<> typed
printf 't\nt\nn\nq\nn\n' >&3
NANOCLAW_FAULT=$1 NANOCLAW_FAULT_COUNT=$PWD/calls \
	script -E never -qec 'nanoclaw -C work walk' out < typed > /dev/null
-- check [755] --
#!/bin/sh
# What is in work, after the next command has looked at it?
nanoclaw -C work status > /dev/null || echo "$1: status fails"
ls -A work/.nanoclaw | grep -v -x -e .gitignore -e applied -e backup -e base -e base.sha256 -e history -e index -e lock -e objects -e state.yaml
ls -A work | grep -v -x -e .nanoclaw -e VERSION -e f -e logo -e logo.from-x -e skills
cmp -s work/f p/f || cmp -s work/f p/skills/x/modify/f || echo "$1: f is neither"
cmp -s work/logo p/skills/x/modify/logo ||
	{ cmp -s work/logo p/logo && [ -e work/logo.from-x ]; } || echo "$1: logo is neither"
-- matrix [755] --
#!/bin/sh
./walk 'count 0'
read -r last _ < calls
for n in $(seq 1 "$last"); do
	./walk "$1 $n"
	./check "$1 $n"
done
[ "$last" -gt 10 ] && echo all
== run ==
$ nanoclaw -C p -q init
$ echo my 1 > p/f; printf '\0\3' > p/logo
$ nanoclaw -C p -q skill apply --on-drift continue x
? 3
> ...
# Without a fault both are taken.
$ ./walk 'count 0'; ./check none; cmp work/f p/skills/x/modify/f; cmp work/logo p/skills/x/modify/logo; ls work
> VERSION
> f
> logo
> skills
$ ./matrix kill
> all
$ ./matrix torn
> all
$ ./matrix eio
> all
$ ./matrix enospc
> all
