#!/bin/sh
# npm-order.sh PROGRAM: compare our order of names with node's localeCompare(), in TAP.
set -eu

command -v node >/dev/null || {
	echo '1..0 # SKIP node is not installed'
	exit 0
}
exec node "$(dirname "$0")/npm-order.js" "$1"
