#!/bin/sh
# Run a test as root, or as a user who is not:
#
#	as.sh root|user PROGRAM ARGUMENT...
#
# Root is only what we are already. Another user can be had from root, if the programs can be
# reached by that one. Where it is not to be had, the test is skipped.
set -u

who=$1
shift
skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

if [ "$who" = root ]; then
	[ "$(id -u)" -eq 0 ] || skip "we are not root"
	exec "$@"
fi
[ "$(id -u)" -eq 0 ] || exec "$@"
command -v setpriv >/dev/null || skip "there is no setpriv"
set -- setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$7" ||
	skip "another user cannot reach '$7'"
exec "$@"
