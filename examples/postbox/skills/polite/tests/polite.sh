#!/bin/sh
# Every answer ends with thanks.
set -eu

answer=$(echo 'buy milk' | DIARY=/dev/null ./postbox)
echo "$answer" | grep -qi 'thank you\.$' || {
	echo "not polite: $answer"
	exit 1
}
