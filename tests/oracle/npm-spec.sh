#!/bin/sh
# npm-spec.sh PROGRAM: compare how we judge names and specifiers with npm, in TAP.
set -eu

for tool in node npm; do
	command -v "$tool" >/dev/null || {
		echo "1..0 # SKIP $tool is not installed"
		exit 0
	}
done
exec node "$(dirname "$0")/npm-spec.js" "$1"
