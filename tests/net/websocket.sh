#!/bin/sh
# websocket.sh TALK: our WebSocket client against the npm package ws. In TAP.
set -eu

command -v openssl >/dev/null || {
	echo '1..0 # SKIP openssl is not installed'
	exit 0
}
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
node "$(dirname "$0")/websocket.js" "$1" "$NODE_MODULES/ws" "$certificates"
