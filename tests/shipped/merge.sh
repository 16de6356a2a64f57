#!/bin/sh
# Some sources as they are when all packages in SOURCE/.claude/skills are applied together:
#
#	merge.sh NANOCLAW SOURCE FOLDER FILE...
#
# Each FILE of src goes to FOLDER, with '_' for '/', and headers go to FOLDER/together. A file that
# has not changed keeps its time.
set -eu

nanoclaw=$(realpath "$1")
folder=$(realpath "$3")
here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-merge.XXXXXX")
trap 'rm -rf "$here"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$here/home"
mkdir "$here/home" "$here/project"
tar -C "$2" --exclude='./build*' --exclude=./.git --exclude=./data --exclude=./groups \
	--exclude=./logs --exclude=./store --exclude=./.env --exclude=./updates -cf - . |
	tar -C "$here/project" -xf -
shift 3
cd "$here/project"
"$nanoclaw" -q init
skills=$(sed -n 's/^skill: //p' .claude/skills/*/manifest.yaml)
# shellcheck disable=SC2086 # names of skills are words
"$nanoclaw" -q skill apply $skills --no-test --no-rebuild --no-install --allow-commands >"$here/log" ||
	{ cat "$here/log" >&2 && exit 1; }

put() { # FROM TO
	cmp -s "$1" "$2" || { mkdir -p "$(dirname "$2")" && cp "$1" "$2"; }
}
cd src
for file; do
	put "$file" "$folder/$(echo "$file" | tr / _)"
done
find ../.claude/skills -name '*.h' | sed -n 's|.*/src/||p' | while read -r file; do
	[ ! -e "$file" ] || put "$file" "$folder/together/$file"
done
