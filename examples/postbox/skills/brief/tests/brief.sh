#!/bin/sh
# A message is answered with one word.
set -eu

answer=$(echo 'buy milk' | DIARY=/dev/null ./postbox)
echo "$answer" | grep -qi ': kept\.' || {
	echo "not brief: $answer"
	exit 1
}
