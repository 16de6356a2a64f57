#!/bin/sh
# The bridge of these tests passes the conformance test, and broken ones do not:
#
#	conformance.sh CONFORMANCE TEST_BRIDGE
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/good"
"$1" test:1 "$2" "$work/good" >"$work/out" 2>&1
good=$?
sed 's/^/# /' "$work/out"
if [ $good -eq 0 ] && [ "$(wc -l <"$work/good/sent")" -eq 2 ]; then
	echo "ok 1 - the test bridge passes, and has sent each key once"
else
	echo "not ok 1 - the test bridge passes, and has sent each key once"
fi
# One that talks nonsense and ends.
printf '#!/bin/sh\necho nonsense\n' >"$work/broken"
chmod +x "$work/broken"
if "$1" test:1 "$work/broken" >"$work/out" 2>&1; then
	echo "not ok 2 - a program that is no bridge does not pass"
else
	echo "ok 2 - a program that is no bridge does not pass"
fi
echo 1..2
