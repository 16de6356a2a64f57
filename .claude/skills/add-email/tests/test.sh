#!/bin/sh
# The skill's test, in a project in which it is applied: build the source and let the new nanoclaw
# talk to mail servers on loopback.
set -eu

cd "$(dirname "$0")/../../../.."
if ! pkg-config --exists gmime-3.0; then
	echo "error: the package 'libgmime-3.0-dev' is missing" >&2
	echo "hint: 'tools/install-packages skills' installs it" >&2
	exit 1
fi
# No caches in packages: they would count as changes.
export PYTHONDONTWRITEBYTECODE=1
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	# A first build takes longer than a test may.
	for file in src/channels/email/*.c src/cli/doctor/email.c; do
		# shellcheck disable=SC2046 # several words
		${CC:-cc} -std=gnu17 -D_GNU_SOURCE -include src/base/banned.h -Isrc -fsyntax-only \
			$(pkg-config --cflags gmime-3.0) "$file"
	done
	echo "note: the files were compiled, not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
if ! command -v python3 >/dev/null; then
	echo "note: the program was built, not tried: python3 is not installed"
	exit 0
fi
exec python3 .claude/skills/add-email/tests/mail.py build-run-skills/nanoclaw 2 10 1
