#!/bin/sh
# Hostile packages: refused with exit code 2, and nothing is touched.
#
#	run.sh NANOCLAW
#
# Both `skill check` and `skill apply` must refuse them. Every case begins with the
# same project and the same innocent package, and then spoils one thing. The whole
# tree, with what lies beside the project, must be the same before and after:
# names, kinds, permissions, times of change, link targets. Prints TAP.
#
#	fields NAME <<END	a package without files, with these lines in its manifest
#	manifest NAME <<END	a package without files, with this manifest
#	spoil NAME 'COMMANDS'	run in the folder of the package; $project is the project
set -u

nanoclaw=$(realpath "$1")
here=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$here" && rm -rf "$here"' EXIT
count=0
failed=0
project=$here/all/project
package=$project/skills/hostile
hash=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
export project package here hash

write_header() {
	printf 'skill: hostile\nversion: 1.0.0\ncore_version: 0.1.0\n' >"$package/manifest.yaml"
}

# $here/template is like $here/all at the beginning of a case.
write_template() {
	mkdir -p "$here/all/outside" "$project/src" "$project/.git/hooks" \
		"$package/add/src" "$package/modify/src" || exit 1
	echo secret >"$here/all/outside/secret"
	echo 0.1.0 >"$project/VERSION"
	printf 'one\ntwo\n' >"$project/src/index.ts"
	ln -s ../../outside "$project/src/link"
	echo '# Hostile' >"$package/SKILL.md"
	echo new >"$package/add/src/new.ts"
	printf 'one\ntwo\nthree\n' >"$package/modify/src/index.ts"
	printf '## What changed\nx\n## Key sections\nx\n## Invariants\nx\n## Must-keep\nx\n' \
		>"$package/modify/src/index.ts.intent.md"
	write_header
	printf 'adds: [src/new.ts]\nmodifies: [src/index.ts]\n' >>"$package/manifest.yaml"
	mv "$here/all" "$here/template"
}

build() {
	cp -a "$here/template" "$here/all"
}

# A file cannot be written without another time of its last change (%C@).
snapshot() {
	find "$here/all" -printf '%p %y %i %m %s %l %T@ %C@\n'
}

# $1 is the name of the case, $2 the exit code that is right, $3 the command.
run_one() {
	count=$((count + 1))
	timeout 240 "$nanoclaw" -C "$project" skill "$3" skills/hostile >"$here/output" 2>&1 \
		</dev/null
	status=$?
	[ -z "${HOSTILE_VERBOSE:-}" ] || sed 's/^/# /' "$here/output"
	snapshot >"$here/after"
	if [ $status -eq "$2" ] && { [ "$2" -eq 0 ] || cmp -s "$here/before" "$here/after"; }; then
		printf 'ok %s - %s: %s\n' $count "$3" "$1"
	else
		failed=$((failed + 1))
		printf 'not ok %s - %s: %s\n' $count "$3" "$1"
		echo "# exit code $status, not $2"
		head -n 5 "$here/output" | cut -c 1-200 | sed 's/^/# /'
		diff "$here/before" "$here/after" | head -n 5 | sed 's/^/# /'
	fi
}

# Runs them on what has been built.
run() {
	snapshot >"$here/before"
	run_one "$1" "$2" check
	run_one "$1" "$2" apply
	rm -rf "$here/all"
}

fields() {
	build
	rm -r "$package/add" "$package/modify"
	write_header
	cat >>"$package/manifest.yaml"
	run "$1" 2
}

manifest() {
	build
	rm -r "$package/add" "$package/modify"
	cat >"$package/manifest.yaml"
	run "$1" 2
}

spoil() {
	build
	(cd "$package" && set -e && eval "$2") || {
		printf 'Bail out! could not spoil: %s\n' "$1"
		exit 1
	}
	run "$1" 2
}

write_template
build
run "an innocent package is not refused" 0

# shellcheck source=/dev/null
. "$(dirname "$0")/packages.sh"

echo "1..$count"
[ $failed -eq 0 ]
