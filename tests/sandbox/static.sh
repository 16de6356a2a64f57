#!/bin/sh
# Programs for sandboxes run in any image: they need none of its libraries, nor its loader.
#
#	static.sh PROGRAM...
set -u

count=0
failed=0
for program in "$@"; do
	count=$((count + 1))
	if readelf -lW "$program" | grep -q -e INTERP -e 'Shared library'; then
		failed=1
		printf 'not '
	fi
	echo "ok $count - ${program##*/} is static"
done
echo "1..$count"
exit $failed
