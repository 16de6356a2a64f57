#!/bin/sh
# mcp-client.sh PROGRAM FOLDER [ARGUMENT...]: run PROGRAM with public MCP clients, which npm
# installs into FOLDER the first time. In TAP.
set -eu

program=$1
folder=$2
shift 2

# An old client, the last one of the older era, and one of the newer. Pinned.
packages='mcp-sdk-old@npm:@modelcontextprotocol/sdk@1.0.4
@modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0'

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v node >/dev/null || skip 'node is not installed'
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] || skip 'node is too old'
modules=$folder/1.0.4-1.32.2-2.4.0/node_modules
if [ ! -d "$modules" ]; then
	command -v npm >/dev/null || skip 'npm is not installed'
	rm -rf "$folder"
	mkdir -p "$folder/new"
	# shellcheck disable=SC2086 # one argument each
	timeout 240 npm install --prefix "$folder/new" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 $packages >"$folder/log" 2>&1 ||
		skip 'npm cannot install the packages'
	mv "$folder/new" "${modules%/node_modules}"
fi
exec "$program" "$@" "$(dirname "$0")/mcp-client.mjs" "$modules"
