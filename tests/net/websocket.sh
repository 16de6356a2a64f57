#!/bin/sh
# websocket.sh TALK FOLDER: our WebSocket client against the npm package ws, which npm installs
# into FOLDER the first time. In TAP.
set -eu

version=8.18.3

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm openssl; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
if [ ! -d "$2/$version/node_modules/ws" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 "ws@$version" >"$2/log" 2>&1 || skip 'npm cannot install ws'
	mv "$2/new" "$2/$version"
fi
# Of the machine: the servers are on loopback.
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY
certificates=$(mktemp -d)
trap 'rm -rf "$certificates"' EXIT
(cd "$(dirname "$0")" && python3 -c '
import sys
from certificates import make_authority, make_certificate
folder = sys.argv[1]
make_authority(folder, "ours")
make_authority(folder, "theirs")
make_certificate(folder, "right", "ours", "DNS:localhost")
make_certificate(folder, "wrong", "ours", "DNS:other.example")
' "$certificates")
node "$(dirname "$0")/websocket.js" "$1" "$2/$version/node_modules/ws" "$certificates"
