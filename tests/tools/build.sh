#!/bin/sh
# Does tools/build set up a folder again when, and only when, it has to?
#
# On a small tree, with a meson and a ninja that only say what they are asked for.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CC CFLAGS LDFLAGS
count=0
failed=0

mkdir -p "$work/bin" "$work/a tree/tools" "$work/a tree/src" "$work/a tree/tests" \
	"$work/a tree/examples" "$work/a tree/.claude/skills"
cp "$here/../../tools/build" "$here/../../tools/build-aside" "$work/a tree/tools"
cat >"$work/bin/meson" <<'SH'
#!/bin/sh
echo "${CC:+CC=$CC }$*" >>"$WORK/log"
for folder; do :; done
mkdir -p "$folder/meson-private"
: >"$folder/build.ninja"
SH
printf '#!/bin/sh\n' >"$work/bin/ninja"
printf '#!/bin/sh\n' >"$work/bin/ccache"
chmod +x "$work/bin/meson" "$work/bin/ninja" "$work/bin/ccache"
export WORK="$work" PATH="$work/bin:$PATH"

check() { # CLAIM EXPECTED-SETUP [OPTION...]
	claim=$1 expected=$2
	shift 2
	: >"$work/log"
	"$work/${tree:-a tree}/tools/build" out "$@" >"$work/out" 2>&1
	count=$((count + 1))
	if [ "$(cat "$work/log")" = "$expected" ]; then
		echo "ok $count - $claim"
	else
		echo "not ok $count - $claim"
		sed 's/^/# /' "$work/log" "$work/out"
		failed=1
	fi
}

check 'a new folder is set up' 'setup --prefix /a out' --prefix /a
check 'a second time nothing is set up' '' --prefix /a
check 'another prefix is taken over' 'setup --prefix /b out' --prefix /b
export CC=clang
check 'another compiler is taken over, with ccache where there is one' 'CC=ccache clang setup --prefix /b out' --prefix /b
unset CC
check 'a variable that is not set stays as it was' '' --prefix /b
check 'and stays so when something else changes' 'CC=ccache clang setup out'
: >"$work/a tree/src/new.c"
check 'a new source configures again' 'CC=ccache clang setup --reconfigure out'
rm "$work/a tree/src/new.c"
check 'a source that is gone configures again' 'CC=ccache clang setup --reconfigure out'
mv "$work/a tree" "$work/moved"
tree=moved
check 'a tree that has moved is set up afresh' 'CC=ccache clang setup out'

export CC='clang -m32'
check 'a compiler with options stays as it is' 'CC=clang -m32 setup out'


# A file with an old time that was put in place after the build, as 'nanoclaw undo' does it.
cd "$work/$tree" || exit 1
tools/build out >/dev/null 2>&1
echo old >src/undone.c
touch -d '2001-01-01' src/undone.c
tools/build out >/dev/null 2>&1
count=$((count + 1))
if [ -n "$(find src/undone.c -newer tools/build)" ]; then
	echo "ok $count - a file that got its old time back is built again"
else
	echo "not ok $count - a file that got its old time back is built again"
	failed=1
fi

# The first build continues when the second one reports that it waits.
mkfifo "$work/go"
cat >"$work/bin/ninja" <<'SH'
#!/bin/sh
echo begin >>"$WORK/log"
[ ! -p "$WORK/go" ] || { read -r _ <"$WORK/go"; rm "$WORK/go"; }
echo end >>"$WORK/log"
SH
: >"$work/log"
tools/build out >/dev/null 2>&1 &
until grep -q begin "$work/log"; do sleep 0.01; done
tools/build out 2>&1 >/dev/null | while read -r line; do
	case $line in
	*'waiting for another build'*) echo >"$work/go" ;;
	esac
done
wait
count=$((count + 1))
if [ "$(tr '\n' ' ' <"$work/log")" = 'begin end begin end ' ]; then
	echo "ok $count - of two builds in a folder one waits for the other"
else
	echo "not ok $count - of two builds in a folder one waits for the other"
	failed=1
fi

# A build that takes longer than the test that wants it.
cat >"$work/bin/ninja" <<'SH'
#!/bin/sh
exec sleep 100
SH
mkdir -p build-run
cp "$work/bin/ccache" build-run/nanoclaw
NANOCLAW_TEST_TIMEOUT=3 tools/build-aside build-run-skills >"$work/out" 2>&1
code=$?
count=$((count + 1))
if [ $code = 3 ]; then
	echo "ok $count - a build for a test ends before the time of the test does"
else
	echo "not ok $count - a build for a test ends before the time of the test does"
	sed 's/^/# /' "$work/out"
	failed=1
fi

echo "1..$count"
exit $failed
