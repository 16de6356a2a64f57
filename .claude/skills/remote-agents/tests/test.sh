#!/bin/sh
# The skill's test, in a project in which it is applied: build the source, and send the agents of the
# new nanoclaw to namespaces of this machine.
set -eu

cd "$(dirname "$0")/../../../.."
# No caches in packages: they would count as changes.
export PYTHONDONTWRITEBYTECODE=1
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	# A first build takes longer than a test may.
	for file in src/sandbox/remote.c src/programs/*/*.c src/cli/doctor/remote.c; do
		${CC:-cc} -std=gnu17 -D_GNU_SOURCE -include src/base/banned.h -Isrc -fsyntax-only \
			"$file"
	done
	echo "note: the files were compiled, not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
if ! command -v python3 >/dev/null; then
	echo "note: the program was built, not tried: python3 is not installed"
	exit 0
fi
python3 .claude/skills/remote-agents/tests/hostile.py build-run-skills/nanoclaw-remote
exec python3 .claude/skills/remote-agents/tests/remote.py build-run-skills/nanoclaw
