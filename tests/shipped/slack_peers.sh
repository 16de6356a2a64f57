#!/bin/sh
# slack_peers.sh NANOCLAW FOLDER [MESSAGES]: the channel 'slack' against programs of others, which npm
# installs into FOLDER the first time: Slack's own clients, their types, and emulate. In TAP.
set -eu

packages='@slack/socket-mode@3.1.0 @slack/web-api@8.2.0 emulate@0.11.2 typescript@5.9.2'

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm python3; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || skip 'Node is older than 20'
modules=$2/$(printf '%s' "$packages" | cksum | cut -d' ' -f1)/node_modules
if [ ! -d "$modules" ]; then
	rm -rf "$2"
	mkdir -p "$2/new"
	# shellcheck disable=SC2086 # names of packages have no spaces
	timeout 240 npm install --prefix "$2/new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 $packages >"$2/log" 2>&1 || skip "npm cannot install Slack's clients"
	mv "$2/new" "${modules%/node_modules}"
fi
# Of the machine: the servers are on loopback.
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
exec python3 "$(dirname "$0")/slack_peers.py" "$1" "$modules" "${3:-6}"
