#!/bin/sh
# run.sh PROGRAM FOLDER: run PROGRAM with Claude Code, which npm installs into FOLDER
# the first time, and with a model that is played on loopback. In TAP.
set -eu

version=2.1.325
package=@anthropic-ai/claude-code-linux-x64
claude=$2/$version/node_modules/$package/claude

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(uname -sm)" = 'Linux x86_64' ] || skip "there is no $package for this machine"
command -v python3 >/dev/null || skip 'python3 is not installed'
if [ ! -x "$claude" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund --fetch-retries 1 \
		"$package@$version" >"$2/log" 2>&1 || skip "npm cannot install $package"
	mv "$2/new" "$2/$version"
fi
"$claude" --version >/dev/null 2>&1 || skip "$package does not run on this machine"
exec python3 "$(dirname "$0")/serve.py" "$1" "$claude"
