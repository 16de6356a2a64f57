#!/bin/sh
# A channel is back within ten seconds after the network is: it waits by backoff_away(), and not by
# backoff_next(), after an attempt that nobody answered. Prints TAP. E-mail is left out: a mail server
# that closes connections may count them.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 2
count=0
failed=0
for channel in src/channels/* .claude/skills/*/add/src/channels/*; do
	name=$(basename "$channel")
	grep -qs 'struct backoff backoff;' "$channel"/*.h && [ "$name" != email ] || continue
	count=$((count + 1))
	if grep -q 'backoff_away(&[a-z]*->backoff)' "$channel"/*.c; then
		echo "ok $count - $name waits for the network by backoff_away()"
	else
		echo "not ok $count - $name waits for the network by backoff_away()"
		failed=1
	fi
done
echo "1..$count"
[ "$count" -ge 1 ] && [ "$failed" = 0 ]
