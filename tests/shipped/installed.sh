#!/bin/sh
# installed.sh SOURCE: each package in a copy of SOURCE that is built, with the package's own test,
# within the time limit of tests. It takes minutes. Prints TAP.
set -u

source=$(realpath "$1")
# shellcheck source=tests/builds/lib.sh
. "$source/tests/builds/lib.sh"
here=${here:?}
nanoclaw=$here/project/build-run/nanoclaw

mkdir "$here/project"
tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw --exclude=./data \
	--exclude=./groups --exclude=./logs --exclude=./store --exclude=./.env -cf - . |
	tar -C "$here/project" -xf -
cd "$here/project" || exit 1
tools/build build-run --buildtype release -Dtests=disabled >"$here/output" 2>&1
report $? "the source is built"

before=$(cksum build-run/nanoclaw)
skills=$(sed -n 's/^skill: //p' .claude/skills/*/manifest.yaml)
# Names of skills are words.
# shellcheck disable=SC2086
"$nanoclaw" skill apply $skills --allow-commands --no-rebuild >"$here/output" 2>&1
report $? "all packages apply, and their tests pass in what is built from the result"
[ "$before" = "$(cksum build-run/nanoclaw)" ]
report $? "beside the program that may be running"
for skill in $skills; do
	"$nanoclaw" skill remove "$skill" --with-dependents --allow-commands --no-rebuild --yes \
		>"$here/output" 2>&1 || break
done
tools/build build-run --buildtype release -Dtests=disabled >>"$here/output" 2>&1
report $? "without them it is built again"
end_tests
