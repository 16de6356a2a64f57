# For the tests in this folder: a stand-in for NanoClaw's own source that is built in no time.
# `programs FOLDER...` in its file `seed` are copied, with src/behaviour beside them.
# shellcheck shell=sh disable=SC2154 # `nanoclaw` is the script's

here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-builds.XXXXXX")
pids=
finish() {
	for pid in $pids; do
		kill "$pid" 2>/dev/null
	done
	[ ! -d "$here/project" ] || "$nanoclaw" -q -C "$here/project" stop >/dev/null 2>&1
	rm -rf "$here"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

count=0
failed=0
report() { # CODE CLAIM
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$here/output" 2>/dev/null
		failed=1
	fi
}

end_tests() {
	echo "1..$count"
	exit $failed
}

# make_project SEED...: a source whose build copies these programs
make_project() {
	mkdir -p "$here/project/src" "$here/project/tools"
	cd "$here/project" || exit 1
	printf '%s\n' "$@" >"$here/seed"
	printf "project('nanoclaw', 'c')\n" >meson.build
	printf '/build-*/\n' >.gitignore
	echo steady >src/behaviour
	cat >tools/build <<END
#!/bin/sh
set -eu
cd "\$(dirname "\$0")/.."
! grep -q broken src/behaviour || { echo "src/behaviour:1: error: broken" >&2; exit 1; }
mkdir -p "\$1"
while read -r program; do
	rm -f "\$1/\${program##*/}"
	cp "\$program" "\$1/\${program##*/}"
done <"$here/seed"
cp src/behaviour "\$1/nanoclaw-behaviour"
chmod +x "\$1/nanoclaw-behaviour"
END
	chmod +x tools/build
}

# --- a host ---------------------------------------------------------------------------------

current() {
	readlink .nanoclaw/builds/current
}
says() { # TEXT
	grep -q -- "$1" "$here/output"
}
host() { # FIELD of the running host
	"$nanoclaw" status --json 2>/dev/null | sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},*\$/\1/p" | head -n 1
}
runs() { # BUILD: is it the host's?
	case $(host program) in
	*/builds/"$1"/nanoclaw) return 0 ;;
	*) return 1 ;;
	esac
}
notes() {
	"$nanoclaw" send main notes --wait >"$here/answer" 2>&1 && grep -q milk "$here/answer"
}
# As a service manager does it: whatever ends badly is started again.
start_service() {
	(until "$nanoclaw" run >>"$here/log" 2>&1; do :; done) &
	pids="$pids $!"
	wait_for_host
}
wait_for_host() {
	for _ in $(seq 200); do
		[ -z "$(host pid)" ] || return 0
		sleep 0.05
	done
	echo "# no host" && return 1
}
