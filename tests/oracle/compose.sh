#!/bin/sh
# compose.sh PROGRAM FOLDER: what we write into compose files, against the schema of the
# compose specification and two readers of YAML, which npm installs into FOLDER the first
# time. In TAP.
set -eu

# dclint carries the schema; the versions are pinned, so that the answer is the same.
packages='ajv@8.20.0 dclint@3.1.0 js-yaml@4.1.0 yaml@2.8.1'

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v node >/dev/null || skip 'node is not installed'
modules=$2/$(echo "$packages" | tr ' @' '--')/node_modules
if [ ! -d "$modules" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	rm -rf "$2"
	mkdir -p "$2/new"
	# shellcheck disable=SC2086 # one argument each
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--omit=peer --legacy-peer-deps --fetch-retries 1 $packages >"$2/log" 2>&1 ||
		skip 'npm cannot install the packages'
	mv "$2/new" "${modules%/node_modules}"
fi
exec node "$(dirname "$0")/compose.js" "$1" "$modules"
