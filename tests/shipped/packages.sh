#!/bin/sh
# packages.sh NANOCLAW SOURCE: the packages in SOURCE/.claude/skills, in a copy of that tree. Each
# applies, alone and with all others, and goes without a trace. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-shipped.XXXXXX")
trap 'rm -rf "$here"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$here/home"

count=0
failed=0
report() { # CODE CLAIM
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$here/output"
		failed=1
	fi
}

mkdir "$here/before" "$here/home"
tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw --exclude=./data \
	--exclude=./groups --exclude=./logs --exclude=./store --exclude=./.env -cf - . |
	tar -C "$here/before" -xf -
if grep -q applied_skills: "$source/.nanoclaw/state.yaml" 2>/dev/null; then
	echo "1..0 # SKIP skills are applied to this tree"
	exit 0
fi
cp -a "$here/before" "$here/project"
cd "$here/project" || exit 1

skills=$(sed -n 's/^skill: //p' .claude/skills/*/manifest.yaml)
same() { # as it was before
	diff -r --no-dereference -x .nanoclaw ../before . >../output 2>&1
}
run() {
	"$nanoclaw" "$@" >../output 2>&1
}
# Names of skills are words.
# shellcheck disable=SC2086
{
	run skill check $skills
	report $? "'skill check' finds no faults"
	for skill in $skills; do
		wanted=$(run skill show "$skill" --json && sed -n 's/.*"depends": \[\(.*\)\].*/\1/p' \
			../output | tr -d '",')
		run skill apply $wanted "$skill" --no-test --no-rebuild && run verify
		report $? "'$skill' applies"
		run undo && same
		report $? "'$skill' goes without a trace"
	done
	run skill apply $skills --no-test --no-rebuild && run verify
	report $? "all of them apply together"
	sh tests/layers/check.sh . >../output 2>&1 && python3 tests/layers/names.py . >>../output 2>&1
	report $? "and keep to the layers"
	for skill in $skills; do
		run skill remove "$skill" --with-dependents --no-test --no-rebuild --yes || break
	done
	same
	report $? "without them the tree is as it was"
}
echo "1..$count"
exit $failed
