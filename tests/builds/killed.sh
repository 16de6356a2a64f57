#!/bin/sh
# A rebuild that is killed at its Nth change to the disk, also as the end of an update:
#
#	killed.sh NANOCLAW FOLDER FAULTY STRIDE STRIDE
#
# Afterwards the old build or the new one runs, and the next rebuild cleans up. FAULTY is
# tests/nanoclaw-faulty; every STRIDEth change of a rebuild is tried, and every STRIDEth of an update
# with a running host, whose programs are in FOLDER. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
programs=$(realpath "$2")
stride=$4
host_stride=$5
# shellcheck source=tests/builds/lib.sh
. "$(dirname "$0")/lib.sh"
here=${here:?}
# Alone in its folder: it becomes the first build, with the programs beside it.
mkdir "$here/faulty"
cp "$3" "$here/faulty/nanoclaw"
faulty=$here/faulty/nanoclaw

# A program that answers with the source that it was built from.
mkdir "$here/seeds"
cat >"$here/seeds/nanoclaw" <<'END'
#!/bin/sh
[ ! -t 0 ] && cat "$0-behaviour"
END
chmod +x "$here/seeds/nanoclaw"
make_project "$here/seeds/nanoclaw"
mkdir -p groups/main data
echo note >groups/main/note

build_before() { # from nothing, or on top of three builds
	rm -rf .nanoclaw build-run
	for text in $1; do
		echo "$text" >src/behaviour
		"$faulty" -q rebuild >"$here/output" 2>&1 || report 1 "the build '$text'"
	done
	echo new >src/behaviour
	rm -rf "$here/saved"
	cp -a "$here/project" "$here/saved"
}
answer() {
	case $(readlink .nanoclaw/builds/current) in
	'' | first) echo none ;;
	*) .nanoclaw/builds/current/nanoclaw </dev/null ;;
	esac
}

left() { # what a killed rebuild leaves, and the next one removes
	find .nanoclaw/builds \( -name new -o -name trial -o -name '.nanoclaw-tmp-*' \)
}

for before in '' 'one two three old'; do
	build_before "$before"
	last=none
	[ -z "$before" ] || last=old
	at=1
	bad=
	while [ $at -lt 1000 ]; do
		cd "$here" && rm -rf project && cp -a saved project && cd project || exit 1
		NANOCLAW_FAULT="kill $at" "$faulty" -q rebuild >"$here/output" 2>&1
		code=$?
		[ $code != 0 ] || break
		case $(answer) in
		"$last" | new) ;;
		*) bad="$bad $at:$(answer)" ;;
		esac
		"$faulty" -q rebuild >"$here/output" 2>&1 && [ "$(answer)" = new ] ||
			bad="$bad $at:again"
		[ -z "$(left)" ] || bad="$bad $at:$(left)"
		at=$((at + stride))
	done
	[ -z "$bad" ] || echo "# at:$bad"
	[ -z "$bad" ] && [ $at -gt 20 ] && [ $at -lt 1000 ] && [ "$(answer)" = new ]
	report $? "after '$before', killed at any of some $at changes: the old build or the new one runs"
done

# --- an update with a host ------------------------------------------------------------------

cd "$here" && rm -rf project || exit 1
make_project "$nanoclaw" "$programs"/nanoclaw-offline "$programs"/nanoclaw-mcp \
	"$programs"/nanoclaw-relay "$programs"/nanoclaw-sandbox
export NANOCLAW_SETTLE_SECONDS=1
echo 1.0.0 >VERSION
echo steady 1 >src/behaviour
cp -a . ../next
version=1
"$nanoclaw" -q init && "$nanoclaw" -q rebuild >"$here/output" 2>&1 && start_service &&
	"$nanoclaw" send main 'remember milk' --wait >"$here/output" 2>&1 && notes
report $? "a host runs"

# To another version each time: `next` is of that version.
make_next() {
	version=$((version + 1))
	echo "$version.0.0" >../next/VERSION
	echo "steady $version" >../next/src/behaviour
}
update() {
	NANOCLAW_FAULT="kill $1" "$faulty" update ../next --yes --rebuild >"$here/output" 2>&1 </dev/null
}
answers() { # soon: it may be about to become another program
	for _ in $(seq 200); do
		! notes || return 0
		sleep 0.05
	done
	return 1
}
recovers() { # after a kill: the host answers, all of the source is old or new, and it can be built
	answers && "$nanoclaw" verify >"$here/output" 2>&1 &&
		[ "$(cat src/behaviour)" = "steady $(sed 's/\..*//' VERSION)" ] &&
		"$nanoclaw" rebuild >"$here/output" 2>&1 && runs "$(current)" && notes &&
		cmp src/behaviour .nanoclaw/builds/current/nanoclaw-behaviour && [ -z "$(left)" ]
}
at=1
bad=
while make_next && ! update $at && [ $at -lt 1000 ]; do
	recovers || bad="$bad $at"
	at=$((at + host_stride))
done
[ -z "$bad" ] || echo "# at:$bad"
[ -z "$bad" ] && [ $at -gt 50 ] && [ $at -lt 1000 ] && recovers && [ "$(cat VERSION)" = "$version.0.0" ]
report $? "an update and its rebuild, killed at any of some $at changes: the host answers, and goes on"

# Nothing on the disk changes in these steps.
for step in restarting watching; do
	make_next
	"$nanoclaw" update ../next --yes --rebuild >"$here/output" 2>&1 </dev/null &
	while kill -0 $! && ! says "^$step"; do sleep 0.01; done
	kill -KILL $! && ! wait $! && [ "$(cat VERSION)" = "$version.0.0" ] && recovers
	report $? "killed while it says '$step': the host answers, and goes on"
done

end_tests
