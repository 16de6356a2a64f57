#!/bin/sh
# Build the image for the sandboxes of podman and docker.
#
#	container/build.sh [podman|docker] [NAME]
#
# The engine is the first of the two that is there; NAME is nanoclaw-agent:latest, which is what
# the host asks for unless NANOCLAW_SANDBOX_IMAGE says otherwise.
set -eu

cd "$(dirname "$0")"
engine=${1-}
name=${2-nanoclaw-agent:latest}
if [ -z "$engine" ]; then
	for engine in podman docker ''; do
		[ -z "$engine" ] || ! command -v "$engine" >/dev/null || break
	done
fi
case $engine in
podman | docker) ;;
*)
	echo "build.sh: neither podman nor docker is installed" >&2
	exit 1
	;;
esac
"$engine" build --tag "$name" .
echo "built '$name'; choose it with NANOCLAW_SANDBOX=$engine"
