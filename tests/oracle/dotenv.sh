#!/bin/sh
# dotenv.sh PROGRAM FOLDER: read what we write with the npm package dotenv, which npm
# installs into FOLDER the first time. In TAP.
set -eu

version=16.4.7

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
if [ ! -d "$2/$version/node_modules/dotenv" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund --fetch-retries 1 \
		"dotenv@$version" >"$2/log" 2>&1 || skip 'npm cannot install dotenv'
	mv "$2/new" "$2/$version"
fi
exec node "$(dirname "$0")/dotenv.js" "$1" "$2/$version/node_modules/dotenv"
