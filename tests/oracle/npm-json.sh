#!/bin/sh
# npm-json.sh PROGRAM: compare what we write with what npm writes, in TAP.
set -eu

for tool in node npm; do
	command -v "$tool" >/dev/null || {
		echo "1..0 # SKIP $tool is not installed"
		exit 0
	}
done
exec node "$(dirname "$0")/npm-json.js" "$1"
