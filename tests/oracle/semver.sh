#!/bin/sh
# semver.sh PROGRAM FOLDER COUNT SEED: compare our ranges of versions with those of the
# npm package semver, which npm installs into FOLDER the first time. In TAP.
set -eu

version=7.8.6
package=$2/$version/node_modules/semver

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v node >/dev/null || skip 'node is not installed'
if [ ! -d "$package" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	new=$2/new.$$
	mkdir -p "$new"
	timeout 240 npm install --prefix "$new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 "semver@$version" >"$2/log" 2>&1 || {
		rm -rf "$new"
		skip 'npm cannot install semver'
	}
	# Another test may have been faster.
	mv -T "$new" "$2/$version" 2>/dev/null || rm -rf "$new"
fi
exec node "$(dirname "$0")/semver.js" "$1" "$package" "$3" "$4"
