#!/bin/sh
# packages.sh NANOCLAW SOURCE [built]: the packages in SOURCE/.claude/skills, in a copy of that tree.
# The test matrix of their combinations is green; all of them apply together, are updated, and go
# without a trace. With `built`, only the matrix runs, its entries are built, and their skills are
# also removed. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
source=$(realpath "$2")
here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-shipped.XXXXXX")
trap 'rm -rf "$here"' EXIT
trap 'exit 1' HUP INT TERM
[ "${3-}" != built ] || export CCACHE_DIR="${CCACHE_DIR-${XDG_CACHE_HOME-$HOME/.cache}/ccache}"
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
compiles() { # what has changed since the beginning, with the libraries that it names
	libraries=$(find src -name libraries -exec cat {} +)
	# shellcheck disable=SC2086 # words
	flags=$([ -z "$libraries" ] || pkg-config --cflags $libraries)
	# shellcheck disable=SC2086
	[ -n "$(find src -newer ../before/VERSION -name '*.c')" ] &&
		find src -newer ../before/VERSION -name '*.c' -exec "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE \
			-include src/base/banned.h -Isrc -Wall -Werror \
			$flags \
			-fsyntax-only {} + >../output 2>&1
}

if [ "${3-}" = built ]; then
	run matrix run --removal --test-timeout 1800 --timeout 3600
	report $? "the test matrix is green, with builds"
	echo "1..$count"
	exit $failed
fi
run matrix run
report $? "the test matrix is green"
touch ../before/VERSION
run init
report $? "the tree is a core"
run skill check
report $? "'skill check' finds no faults"
run channel add
[ $? = 2 ] && grep -q "'nanoclaw channel new'? the skill 'bridge-tools' adds it:" ../output &&
	! run channel check x && grep -q "hint: the skill 'bridge-tools' adds it: 'nanoclaw skill apply" ../output
report $? "a command that a package adds is named with its skill"
# Names of skills and files are words.
# shellcheck disable=SC2046,SC2086
{
	run skill apply $skills --no-test --no-rebuild --allow-commands && run undo && same
	report $? "all of them apply together, and are undone without a trace"
	run redo --no-test --no-rebuild && run verify
	report $? "and redone"
	compiles
	report $? "and can be compiled"
	sh tests/layers/check.sh . >../output 2>&1 && python3 tests/layers/names.py . >>../output 2>&1
	report $? "and keep to the layers"
	for skill in $skills; do
		run skill remove "$skill" --with-dependents --no-test --no-rebuild --yes || break
	done
	same
	report $? "without them the tree is as it was"
}
run resolution check .claude/resolutions
report $? "the resolutions that are shipped fit the packages"
mv .claude/resolutions ..
run skill apply voice-transcription --no-test --no-rebuild --allow-commands
run skill apply pdf-reader --no-test --no-rebuild --allow-commands
[ $? = 3 ] && grep -q "CONFLICT  container/CLAUDE.md" ../output && run abort
report $? "two packages that change the same place conflict"
pair=$(cat VERSION)/pdf-reader+voice-transcription
run matrix run --only "$pair"
[ $? = 1 ] && grep -q "^$pair: conflict" ../output &&
	grep -q "a conflict in 'container/CLAUDE.md' without a shipped resolution" ../output
report $? "and the matrix names them"
mv ../resolutions .claude
run skill apply pdf-reader --no-test --no-rebuild --allow-commands && run verify &&
	grep -q "has heard the text" container/CLAUDE.md && grep -q "pdftotext -f" container/CLAUDE.md
report $? "and the resolution that is shipped settles it"
run skill remove pdf-reader voice-transcription --no-test --no-rebuild --yes && same
report $? "both go without a trace"
run skill apply telegram --no-test --no-rebuild --allow-commands
file=src/channels/telegram/telegram.c
echo "/* a person's */" >>$file
sed -i '1i /* the update\x27s */' .claude/skills/add-telegram/add/$file
sed -i 's/^version: .*/version: 99.0.0/' .claude/skills/add-telegram/manifest.yaml
run skill update --on-drift record --no-test --no-rebuild &&
	[ "$(sed -n '1p;$p' $file | tr -d '\n')" = "/* the update's *//* a person's */" ]
report $? "a person's edit survives an update of its package"
echo "1..$count"
exit $failed
