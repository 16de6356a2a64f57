#!/bin/sh
# The skill's test, in a project in which it is applied: the bridge talks to a WhatsApp on loopback, if
# its libraries are installed.
set -eu

cd "$(dirname "$0")/../../../.."
# No caches in packages: they would count as changes.
export PYTHONDONTWRITEBYTECODE=1
sh -n bridges/whatsapp/run.sh
if ! command -v node >/dev/null || ! command -v python3 >/dev/null; then
	echo "note: the bridge was not tried: it needs node and python3"
	exit 0
fi
for file in bridges/whatsapp/*.mjs; do
	node --check "$file"
done
if [ ! -d bridges/whatsapp/node_modules/baileys ]; then
	echo "note: the bridge was not tried: 'nanoclaw channel login whatsapp' installs its libraries"
	exit 0
fi
code=0
tools/build-aside build-run-skills || code=$?
if [ $code = 3 ]; then
	echo "note: the bridge was not tried: there is no build in 'build-run' yet"
	exit 0
fi
[ $code = 0 ] || exit $code
exec python3 .claude/skills/add-whatsapp/tests/whatsapp.py build-run-skills/nanoclaw 2 10 1
