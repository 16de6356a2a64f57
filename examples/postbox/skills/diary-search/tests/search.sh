#!/bin/sh
# What was kept is found, and what was not is not.
set -eu

DIARY=$(mktemp)
export DIARY
trap 'rm -f "$DIARY"' EXIT

fail() {
	echo "$1"
	exit 1
}

answers=$(printf 'buy milk\nfind milk\nfind tea\n' | ./postbox)
echo "$answers" | sed -n 2p | grep -qi 'buy milk' || fail "not found: $answers"
echo "$answers" | sed -n 3p | grep -qi 'nothing found' || fail "found: $answers"
