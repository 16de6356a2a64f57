#!/bin/sh
# workflow.sh WORKFLOW FOLDER: the workflow that is shipped, read by the parser of GitHub
# Actions, which npm installs into FOLDER the first time. In TAP.
set -eu

version=0.3.61

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v node >/dev/null || skip 'node is not installed'
modules=$2/$version/node_modules
if [ ! -d "$modules" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 "@actions/workflow-parser@$version" >"$2/log" 2>&1 ||
		skip 'npm cannot install the parser'
	mv "$2/new" "$2/$version"
fi
exec node "$(dirname "$0")/workflow.mjs" "$1" "$modules"
