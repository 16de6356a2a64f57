#!/bin/sh
# The update from 0.1.0 to 1.0.0 with hosts that run, from one program to the next, and from there to
# SOURCE:
#
#	built.sh SOURCE [NAME...]
#
# 0.1.0 is built from the history, with each of the five installations of lib.sh or those that are
# named. Its own program updates, tests, rebuilds and restarts the host. It takes many minutes. Prints
# TAP.
# shellcheck disable=SC2034,SC2154 # lib.sh reads some variables and sets others
set -u

source=$(realpath "$1")
shift
nanoclaw=
export CCACHE_DIR="${CCACHE_DIR-${XDG_CACHE_HOME-$HOME/.cache}/ccache}"
# shellcheck source=tests/releases/lib.sh
. "$source/tests/releases/lib.sh"
here=${here:?}
[ $# = 0 ] || names=$*
project=$here/project
export NANOCLAW_SETTLE_SECONDS=12
mkdir "$project" "$here/bin"
make_this "$here/this"
# Tests of skills do without the packages of the distribution that the skills need.
printf '#!/bin/sh\nshift 3\nprintf "%%s installed\\n" "$@"\n' >"$here/bin/dpkg-query"
chmod +x "$here/bin/dpkg-query"
export PATH="$here/bin:$PATH"
cd "$project" || exit 1

current() { # the program that hosts run
	nanoclaw=$project/.nanoclaw/builds/current/nanoclaw
	[ -x "$nanoclaw" ] || nanoclaw=$project/build-run/nanoclaw
}
start() { # as a service manager does: whatever ends badly is started again
	(until "$project/build-run/nanoclaw" run >>"$here/log" 2>&1 </dev/null; do :; done) &
	pids="$pids $!"
	tries=0
	until run . status && grep -q 'pid' "$here/output" || [ $tries -gt 100 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
}
remembers() { # soon: the host may be about to become another program
	tries=0
	until current && run . send main notes --wait || [ $tries -gt 50 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	grep -q milk "$here/output"
}
is() { # VERSION: the source and the program
	current
	[ "$(cat VERSION) $("$nanoclaw" --version)" = "$1 nanoclaw $1" ]
}
# The build folder stays, for the next one.
begin() {
	find . -mindepth 1 -maxdepth 1 ! -name 'build-*' -exec rm -rf {} +
	git -C "$source" archive "$commit" | tar -xf -
	tools/build build-run --buildtype release -Dtests=disabled >"$here/output" 2>&1
	report $? "$name: 0.1.0 is built"
	current
}

# The steps of a rebuild say what they do. What comes before is one transaction, with tests.
kill_update() { # TEXT, or a number of seconds
	"$nanoclaw" update "$update" --yes --rebuild >"$here/output" 2>&1 </dev/null &
	updating=$!
	case $1 in
	[0-9]*) sleep "$1" ;;
	*) while kill -0 $updating && ! grep -q "^$1" "$here/output"; do sleep 0.05; done ;;
	esac
	kill -KILL $updating && ! wait $updating
}
kill_everywhere() {
	for moment in 1 10 building trying 'switched to' restarting watching; do
		current
		kill_update "$moment" && remembers
		report $? "$name: killed at '$moment', and the host answers"
		if [ "$(cat VERSION)" = 1.0.0 ]; then
			run . rebuild && remembers && is 1.0.0
			report $? "$name: a rebuild completes the update"
			run . undo --rebuild
		fi
		remembers && is 0.1.0
		report $? "$name: it is 0.1.0 again"
	done
}

for name in $names; do
	begin
	"make_$name" .
	report $? "$name: an installation of 0.1.0"
	start
	run . send main 'remember milk' --wait && remembers && is 0.1.0
	report $? "$name: its host answers"
	[ "$name" != plain ] || kill_everywhere
	run . update "$update" --yes --rebuild
	report $? "$name: 0.1.0 updates itself, and all tests pass"
	remembers && is 1.0.0
	report $? "$name: the host is 1.0.0 now, and remembers"
	run . completion fish && run . channel check --help
	report $? "$name: it has what left the core"
	run . undo --rebuild && remembers && is 0.1.0
	report $? "$name: undo brings 0.1.0 back, and the host remembers"
	run . redo --rebuild && remembers && is 1.0.0
	report $? "$name: redo brings 1.0.0 back"
	run . update "$here/this" --yes --rebuild && remembers && is "$(cat "$source/VERSION")"
	report $? "$name: 1.0.0 updates itself to this tree, and the host remembers"
	if [ "$name" = plain ]; then
		run . skill remove bridge-tools fish-completion --rebuild --yes && remembers
		report $? "$name: the skills of the migrations are removed"
		! run . channel check x && grep -q "the skill 'bridge-tools' adds it" "$here/output"
		report $? "$name: a command is gone, and the hint says where it is"
	fi
	current
	run . stop
done
end_tests
