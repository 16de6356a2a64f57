#!/bin/sh
# npm.sh FOLDER 'NAME@VERSION …' TEST [ARGUMENT…]: run a test with these npm packages, which are
# installed into FOLDER the first time; NODE_MODULES says where. Skipped, in TAP, without a registry.
set -eu

folder=$1
packages=$2
shift 2

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

for tool in node npm python3; do
	command -v "$tool" >/dev/null || skip "$tool is not installed"
done
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$packages" ]; then
	rm -rf "$folder"
	mkdir -p "$folder"
	# shellcheck disable=SC2086 # one argument each
	timeout 240 npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund \
		--fetch-retries 1 $packages >"$folder/log" 2>&1 ||
		skip "npm cannot install $packages"
	echo "$packages" >"$folder/packages"
fi
# Of the machine: servers are on loopback.
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
export NODE_MODULES="$folder/node_modules"
case $1 in
*.mjs) exec node "$@" ;;
*) exec python3 "$@" ;;
esac
