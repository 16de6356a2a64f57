#!/bin/sh
# Does ./run start the assistant in its own folder, and print nothing but answers?
#
#	run.sh NANOCLAW
#
# With tools that install and build nothing, but talk.
set -u

here=$(cd "$(dirname "$0")" && pwd)
nanoclaw=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ASSISTANT_NAME NANOCLAW_AGENT
count=0
failed=0

tree="$work/a tree"
mkdir -p "$tree/tools" "$tree/build-run" "$work/elsewhere"
cp "$here/../../run" "$tree"
for tool in install-packages build; do
	printf '#!/bin/sh\necho "%s $*"\n' "$tool" >"$tree/tools/$tool"
	chmod +x "$tree/tools/$tool"
done
ln -s "$nanoclaw" "$tree/build-run/nanoclaw"
cd "$work/elsewhere" || exit 1

check() { # CLAIM EXPECTED GOT
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		failed=1
		echo "not ok $count - $1"
		printf 'expected: %s\ngot: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

answers=$(printf 'remember milk\nnotes\n' | "$tree/run" 2>"$work/log")
case $answers in
*'no working sandbox'*)
	count=$((count + 1))
	echo "ok $count - only the answers are on standard output # SKIP there is no sandbox here"
	;;
*)
	check 'only the answers are on standard output' 'Noted: milk
1. milk' "$answers"
	;;
esac
check 'what the tools say is on standard error' 'install-packages build
build build-run --buildtype release -Dtests=disabled' "$(cat "$work/log")"
check 'everything is stored in the checkout' 'build-run
container
data
groups
logs
run
store
tools' "$(ls "$tree")"
check 'nothing is stored where it was called' '' "$(ls -A)"
check 'nothing is left running' 'free' "$(flock -n "$tree/store/lock" echo free)"
check 'no input is no answer' '' "$("$tree/run" </dev/null 2>/dev/null)"
check 'a group can be named' "error: there is no group 'nowhere'
hint: 'nanoclaw group list' lists them" "$("$tree/run" nowhere </dev/null 2>&1 >/dev/null |
	sed -n '/^error/,$p')"

echo "1..$count"
exit $failed
