#!/bin/sh
# run.sh PROGRAM FOLDER [ARGUMENT...]: run PROGRAM with Claude Code, which npm installs
# into FOLDER the first time, and with a model that is played on loopback. In TAP.
set -eu

program=$1
folder=$2
shift 2

version=2.1.325
package=@anthropic-ai/claude-code-linux-x64
claude=$folder/$version/node_modules/$package/claude

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(uname -sm)" = 'Linux x86_64' ] || skip "there is no $package for this machine"
command -v python3 >/dev/null || skip 'python3 is not installed'
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9 # another test may be installing it
if [ ! -x "$claude" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	rm -rf "$folder/new" "${folder:?}/$version"
	mkdir -p "$folder/new"
	timeout 1200 npm install --prefix "$folder/new" --ignore-scripts --no-audit --no-fund --fetch-retries 1 \
		"$package@$version" >"$folder/log" 2>&1 || skip "npm cannot install $package"
	mv "$folder/new" "$folder/$version"
fi
flock -u 9
"$claude" --version >/dev/null 2>&1 || skip "$package does not run on this machine"
exec python3 "$(dirname "$0")/serve.py" "$program" "$claude" "$@"
