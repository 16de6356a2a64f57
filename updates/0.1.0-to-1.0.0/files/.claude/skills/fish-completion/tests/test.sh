#!/bin/sh
# The skill's test, in a project in which it is applied: build the source, and complete a command in
# fish if it is installed.
set -eu

cd "$(dirname "$0")/../../../.."
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	# A first build takes longer than a test may.
	${CC:-cc} -std=gnu17 -D_GNU_SOURCE -include src/base/banned.h -Isrc -fsyntax-only \
		src/cli/completion.c
	echo "note: the file was compiled, not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
PATH=$PWD/build-run-skills:$PATH
nanoclaw completion fish | grep -q 'complete -c nanoclaw'
if ! command -v fish >/dev/null; then
	echo "note: the completions were printed, not tried: fish is not installed"
	exit 0
fi
fish --no-config -c "nanoclaw completion fish | source; complete -C 'nanoclaw mer'" |
	grep -q '^merge-file'
