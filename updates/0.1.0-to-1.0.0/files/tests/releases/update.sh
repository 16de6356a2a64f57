#!/bin/sh
# The update from 0.1.0 to 1.0.0, of five installations:
#
#	update.sh NANOCLAW SOURCE [FAULTY STRIDE]
#
# SOURCE has the package in updates, and the history that has 0.1.0. With FAULTY
# (tests/nanoclaw-faulty), the update is also killed at every STRIDEth change to the disk. Nothing is
# built: built.sh does that. Prints TAP.
# shellcheck disable=SC2034,SC2154 # lib.sh reads some variables and sets others
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
faulty=${3:+$(realpath "$3")}
# shellcheck source=tests/releases/lib.sh
. "$source/tests/releases/lib.sh"
cd "$here" || exit 1
options='--no-test --no-rebuild --no-install'
migrations='bridge-tools fish-completion'

make_old old
cp -a old new
make_new new
mkdir tree
tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw --exclude=./data \
	--exclude=./groups --exclude=./logs --exclude=./store --exclude=./.env --exclude=./updates \
	--exclude=./.claude/skills/matrix.yaml --exclude=./compile_commands.json --exclude='./nanoclaw-*.tar.gz' -cf - . | tar -C tree -xf -
if diff -r --no-dereference tree new >output 2>&1; then
	report 0 "the package leads to this tree"
else
	skipped "the package leads to this tree" \
		"$(wc -l <output) differences: the tree has changed since the release"
fi
run new init
cp -a new all
# Names of skills and options are words.
# shellcheck disable=SC2086
apply all $migrations
report $? "the skills of the migrations apply to 1.0.0"

# shellcheck disable=SC2086
for name in $names; do
	cp -a old "$name"
	"make_$name" "$name"
	report $? "$name: an installation of 0.1.0"
	cp -a "$name" before
	data "$name" >stored
	run "$name" update "$update" --yes $options && run "$name" verify &&
		[ "$(cat "$name/VERSION")" = 1.0.0 ]
	report $? "$name: the update goes through"
	cp -a all expected
	"expect_$name" expected && same "$name" expected
	report $? "$name: it gives the tree of 1.0.0 with the same skills and changes"
	data "$name" >output
	cmp stored output
	report $? "$name: the data is intact"
	cp -a "$name" updated
	run "$name" undo --no-rebuild && same "$name" before && data "$name" | cmp - stored
	report $? "$name: undo takes all of it back"
	rm -rf expected "$name"
	mv updated "$name"
	case $name in
	plain | channels | rebased)
		cp -a new expected
		"expect_$name" expected
		run "$name" skill remove $migrations $options --yes && same "$name" expected
		report $? "$name: without the skills of the migrations, it is a new 1.0.0"
		rm -rf expected
		;;
	esac
	if [ "$name" = plain ]; then
		talk plain notes && grep -q milk output
		report $? "$name: the assistant remembers"
		run plain task list && grep -q '^2 .* paused .* good morning' output
		report $? "$name: the paused task is still paused"
	fi
	rm -rf before "$name"
done

if [ -n "$faulty" ]; then
	cp -a old saved
	run saved init
	cp -a saved updated
	# shellcheck disable=SC2086
	run updated update "$update" --yes $options
	at=1
	bad=
	while :; do
		rm -rf killed
		cp -a saved killed
		# shellcheck disable=SC2086
		NANOCLAW_FAULT="kill $at" "$faulty" -C killed update "$update" --yes $options \
			>output 2>&1 </dev/null
		code=$?
		run killed status
		if ! same killed saved && ! same killed updated; then
			bad="$bad $at"
		fi
		[ $code != 0 ] || break
		at=$((at + $4))
	done
	echo "bad:$bad" >output
	[ -z "$bad" ] && [ $at -gt 100 ]
	report $? "killed at any of some $at changes, the tree is the old one or the new one"
fi
end_tests
