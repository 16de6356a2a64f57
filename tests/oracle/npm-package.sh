#!/bin/sh
# npm-package.sh PROGRAM FOLDER: compare package.json after our edit with what npm makes of
# it, for the packages that npm installs into FOLDER the first time. In TAP.
set -eu

packages='gulp@4.0.2 jest@29.7.0'

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
if [ ! -d "$2/all" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	# shellcheck disable=SC2086 # a list
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--no-package-lock --prefer-offline --fetch-retries 1 $packages >"$2/log" 2>&1 ||
		skip "npm cannot install $packages"
	mv "$2/new" "$2/all"
fi
exec node "$(dirname "$0")/npm-package.js" "$1" "$2/all/node_modules"
