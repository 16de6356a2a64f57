#!/bin/sh
# A rebuild that is killed at its Nth change to the disk:
#
#	killed.sh NANOCLAW FAULTY STRIDE
#
# Afterwards the old build or the new one runs, and the next rebuild cleans up. FAULTY is
# tests/nanoclaw-faulty; every STRIDEth change is tried. Prints TAP.
set -u

# shellcheck disable=SC2034 # lib.sh uses it
nanoclaw=$(realpath "$1")
stride=$3
# shellcheck source=tests/builds/lib.sh
. "$(dirname "$0")/lib.sh"
here=${here:?}
# Alone in its folder: it becomes the first build, with the programs beside it.
mkdir "$here/faulty"
cp "$2" "$here/faulty/nanoclaw"
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
		left=$(find .nanoclaw/builds \( -name new -o -name trial -o -name '.nanoclaw-tmp-*' \))
		[ -z "$left" ] || bad="$bad $at:$left"
		at=$((at + stride))
	done
	[ -z "$bad" ] || echo "# at:$bad"
	[ -z "$bad" ] && [ $at -gt 20 ] && [ $at -lt 1000 ] && [ "$(answer)" = new ]
	report $? "after '$before', killed at any of some $at changes: the old build or the new one runs"
done

end_tests
