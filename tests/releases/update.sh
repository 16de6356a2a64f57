#!/bin/sh
# The update from 0.1.0 to 1.0.0, of five installations, and from there to SOURCE:
#
#	update.sh NANOCLAW SOURCE FAULTY STRIDE [killed]
#
# SOURCE has the package in updates, and the history that has both versions. FAULTY is
# tests/nanoclaw-faulty: the update is also killed at every STRIDEth change to the disk; with
# `killed` nothing else is tested. Nothing is built: built.sh does that. Prints TAP.
# shellcheck disable=SC2034,SC2154 # lib.sh reads some variables and sets others
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
faulty=$(realpath "$3")
stride=$4
# shellcheck source=tests/releases/lib.sh
. "$source/tests/releases/lib.sh"
cd "$here" || exit 1
options='--no-test --no-rebuild --no-install'
migrations='bridge-tools fish-completion'

# Copies are hard links: everything here replaces files, and writes into none that is there.
copy() { # FROM TO
	cp -al "$1" "$2"
}

extract old "$commit"
copy old new
make_new new
listing old >old.list
listing new >new.list
extract released "$(cat "$source/tests/releases/1.0.0")"
listing released | grep -vE ' \./(updates|\.claude/skills/matrix\.yaml)' | diff - new.list >output
report $? "the package leads from the commit of 0.1.0 to that of 1.0.0"
run new init
copy new all
# Names of skills and options are words.
# shellcheck disable=SC2086
apply all $migrations
report $? "the skills of the migrations apply to 1.0.0"
listing all >all.list

[ "${5-}" != killed ] || names=
# shellcheck disable=SC2086
for name in $names; do
	copy old "$name"
	"make_$name" "$name"
	report $? "$name: an installation of 0.1.0"
	listing "$name" >before.list
	data "$name" >stored
	run "$name" update "$update" --yes $options && run "$name" verify &&
		[ "$(cat "$name/VERSION")" = 1.0.0 ]
	report $? "$name: the update goes through"
	copy all expected
	"expect_$name" expected && listing expected >updated.list && is_as "$name" updated.list
	report $? "$name: it gives the tree of 1.0.0 with the same skills and changes"
	rm -rf expected
	data "$name" | diff stored - >output
	report $? "$name: the data is intact"
	run "$name" undo $options && is_as "$name" before.list && data "$name" | diff stored - >output
	report $? "$name: undo takes all of it back"
	run "$name" redo $options && is_as "$name" updated.list
	report $? "$name: and redo brings it again"
	case $name in
	plain | channels | rebased)
		copy new expected
		"expect_$name" expected && listing expected >expected.list
		run "$name" skill remove $migrations $options --yes && is_as "$name" expected.list
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
	rm -rf "$name"
done

make_this this
# shellcheck disable=SC2086
for name in $names; do
	copy all "$name"
	"expect_$name" "$name" && run "$name" update "$here/this" --yes $options && run "$name" verify
	report $? "$name: the update from 1.0.0 to this tree goes through"
	copy this expected
	# A resolution that is not shipped any more stays where it is.
	for folder in "$name"/.claude/resolutions/*; do
		[ -e "expected${folder#"$name"}" ] || rm -r "$folder"
	done
	run expected init && apply expected $migrations && "expect_$name" expected &&
		listing expected >updated.list && is_as "$name" updated.list
	report $? "$name: it gives this tree with the same skills and changes"
	rm -rf expected "$name"
done

copy old saved
run saved init
copy saved killed
at=1
bad=
# shellcheck disable=SC2086
until NANOCLAW_FAULT="kill $at" "$faulty" -C killed update "$update" --yes $options \
	>output 2>&1 </dev/null; do
	run killed status || bad="$bad $at:status"
	# The next update begins where this one did: in the same tree, or else in a new one.
	if ! is_as killed old.list; then
		is_as killed all.list || bad="$bad $at"
		rm -rf killed
		copy saved killed
	fi
	at=$((at + stride))
done
is_as killed all.list || bad="$bad end"
echo "bad:$bad" >output
[ -z "$bad" ] && [ $at -gt 1000 ]
report $? "killed at any of some $at changes, the tree is the old one or the new one"
is_as old old.list && is_as new new.list && is_as all all.list
report $? "the cores are as they were: nothing has been written into a file"
end_tests
