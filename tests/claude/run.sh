#!/bin/sh
# run.sh PROGRAM [ARGUMENT...]: run PROGRAM with Claude Code from NODE_MODULES, and with a model that
# is played on loopback. In TAP.
set -eu

program=$1
shift
package=@anthropic-ai/claude-code-linux-x64
claude=$NODE_MODULES/$package/claude

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -x "$claude" ] || skip "there is no $package for this machine"
"$claude" --version >/dev/null 2>&1 || skip "$package does not run on this machine"
exec python3 "$(dirname "$0")/serve.py" "$program" "$claude" "$@"
