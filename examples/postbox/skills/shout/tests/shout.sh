#!/bin/sh
# The answer, whatever it is, is in capitals.
set -eu

answer=$(echo 'hello' | DIARY=/dev/null ./postbox)
[ "$answer" = "$(echo "$answer" | tr '[:lower:]' '[:upper:]')" ] || {
	echo "not loud enough: $answer"
	exit 1
}
