#!/bin/sh
# run.sh main|login [ARGUMENT…]: a program of this folder, from the root of the project, with a Node
# that is new enough. 'login' installs Node and the libraries first, if they are missing.
set -eu

here=bridges/whatsapp
program=$1
shift

new_enough() { # NODE
	version=$("$1" --version 2>/dev/null) || return 1
	version=${version#v}
	[ "${version%%.*}" -ge 20 ]
}
find_node() {
	for node in node "$here"/node_modules/node-linux-*/bin/node; do
		new_enough "$node" && return
	done
	node=node
	return 1
}

# --no-fork: one process. Two of them would tear the session apart, so a second one waits.
umask 077
mkdir -p data/whatsapp
if [ "$program" = main ]; then
	find_node || command -v node >/dev/null || {
		echo "Node is not installed: run 'nanoclaw channel login whatsapp'" >&2
		exit 1
	}
	exec flock --no-fork data/whatsapp/lock "$node" "$here/main.mjs"
fi
if ! find_node || ! "$node" -e "import('./$here/installed.mjs').then((m) => process.exit(m.whatIsMissing() ? 1 : 0))"; then
	command -v npm >/dev/null || {
		echo "error: npm is not installed, and installs the libraries: apt install npm" >&2
		exit 1
	}
	echo "Installing the libraries of $here/package-lock.json:"
	optional=--omit=optional # a Node for machines that have none, or an old one
	find_node || optional=--include=optional
	npm ci --prefix "$here" --legacy-peer-deps --ignore-scripts --no-audit --no-fund $optional
	find_node || {
		echo "error: no Node 20 for this machine: install one" >&2
		exit 1
	}
fi
exec "$node" "$here/$program.mjs" "$@"
