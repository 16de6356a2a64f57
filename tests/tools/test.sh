#!/bin/sh
# Does tools/test run what is named, and nothing else?
#
# On a small tree, with a meson and a scenario runner that only say what they are asked for.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0

mkdir -p "$work/bin" "$work/tree/tools" "$work/tree/tests/cli" "$work/tree/tests/walk" \
	"$work/tree/out/tests/harness"
cp "$here/../../tools/test" "$work/tree/tools"
: >"$work/tree/tests/cli/help.t"
: >"$work/tree/tests/walk/crash.t"
cat >"$work/bin/meson" <<'SH'
#!/bin/sh
case "$*" in
*--list)
	printf 'nanoclaw:%s\n' 'unit / view' 'cli / engine-1' 'cli / engine-2' 'host / task faults'
	exit
	;;
esac
shift 6 # test -C out --num-processes N --print-errorlogs
printf 'meson'
for word; do
	printf ' <%s>' "$word"
done
echo
[ "$*" != 'task faults' ]
SH
cat >"$work/tree/out/tests/harness/scenario" <<'SH'
#!/bin/sh
echo "scenario $*"
SH
chmod +x "$work/bin/meson" "$work/tree/out/tests/harness/scenario"
export PATH="$work/bin:$PATH" TMPDIR="$work"

check() { # CLAIM EXPECTED-CODE EXPECTED-OUTPUT [NAME...]
	claim=$1 code=$2 expected=$3
	shift 3
	"$work/tree/tools/test" out "$@" >"$work/said" 2>&1
	got=$?
	count=$((count + 1))
	if [ $got = "$code" ] && [ "$(cat "$work/said")" = "$expected" ]; then
		echo "ok $count - $claim"
	else
		echo "not ok $count - $claim"
		echo "# exit code $got"
		sed 's/^/# /' "$work/said"
		failed=1
	fi
}

check 'without a name all are run' 0 'meson'
check 'options are those of meson' 0 'meson <--suite> <unit>' --suite unit
check 'a test is found by its name' 0 'meson <view>' view
check 'and by its file' 0 'meson <view>' tests/unit/view.c
check 'the shards of a test belong together' 0 'meson <engine-1> <engine-2>' engine
check 'a name may have spaces; what fails is a failure' 1 'meson <task faults>' 'task faults'
check 'a suite has several' 0 'meson <engine-1> <engine-2>' cli
check 'a scenario is found by its name' 0 '== scenario tests/cli/help.t
scenario --nanoclaw out/nanoclaw tests/cli/help.t' help
check 'and by its file, with the program that it needs' 0 '== scenario tests/walk/crash.t
scenario --nanoclaw out/tests/nanoclaw-resolving tests/walk/crash.t' tests/walk/crash.t
check 'a name that nothing has is an error' 2 \
	"error: there is no test 'nonsense': 'meson test -C out --list' has them" nonsense

echo "1..$count"
exit $failed
