#!/bin/sh
# Messages are kept in the order in which they came, empty lines are not.
set -eu

DIARY=$(mktemp)
export DIARY
trap 'rm -f "$DIARY"' EXIT

printf 'buy milk\n\nhello  you\n' | ./postbox >/dev/null
printf 'buy milk\nhello  you\n' | diff - "$DIARY"
