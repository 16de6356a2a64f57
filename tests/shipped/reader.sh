#!/bin/sh
# reader.sh SKILL: the test of a skill that reads files (host/reading/reader.h), in a project in
# which it is applied: build the source and let the new nanoclaw read some.
set -eu

cd "$(dirname "$0")/../.."
# No caches in packages: they would count as changes.
export PYTHONDONTWRITEBYTECODE=1
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	# A first build takes longer than a test may.
	${CC:-cc} -std=gnu17 -D_GNU_SOURCE -include src/base/banned.h -Isrc -fsyntax-only \
		"src/host/reading/$(echo "$1" | tr - _).c"
	echo "note: the file was compiled, not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
if ! command -v python3 >/dev/null; then
	echo "note: the program was built, not tried: python3 is not installed"
	exit 0
fi
exec python3 ".claude/skills/add-$1/tests/$1.py" build-run-skills/nanoclaw
