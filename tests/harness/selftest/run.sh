#!/bin/sh
# Does the harness find what is wrong? A test bed that cannot fail proves
# nothing, so each scenario in fail/ must fail and say what its line `says:`
# wants, each in crash/ and power/ must do what its second line claims, and the one in skip/
# must be skipped; here, so that a run that skips nothing says so.
#
#	run.sh SCENARIO CRASH REPLACE
set -u

here=$(cd "$(dirname "$0")" && pwd)
scenario=$1 crash=$2 replace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work"
count=0
failed=0

result() { # NAME, and whether the last command was right
	right=$?
	count=$((count + 1))
	if [ $right = 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		failed=1
		sed 's/^/# /' "$work/out"
	fi
}

claim() { sed -n '1s/^#* *//p' "$1"; }
nothing_left() { [ -z "$(find "$work" -maxdepth 1 -name "*nanoclaw-*")" ]; }

for file in "$here"/fail/*.t; do
	says=$(sed -n "s/^.*says: *//p" "$file" | head -n 1 | sed "s/^'\(.*\)'\$/\1/")
	"$scenario" --nanoclaw "$replace" "$file" >"$work/out" 2>&1
	[ $? = 1 ] && grep -q '^not ok 1 - ' "$work/out" && grep -qF -- "$says" "$work/out"
	result "fail/$(basename "$file"): $(claim "$file")"
done

for file in "$here"/crash/*.t; do
	"$crash" --nanoclaw "$replace" "$file" >"$work/out" 2>&1
	code=$?
	line=$(sed -n 's/^# \(passes\|skips\|fails: .*\)$/\1/p' "$file")
	case $line in
	passes) [ $code = 0 ] && [ "$(grep -c '^ok' "$work/out")" = 4 ] &&
		grep -q '^# crash points: 11$' "$work/out" ;;
	skips) [ $code = 0 ] && grep -q '^1\.\.0 # SKIP' "$work/out" ;;
	fails:*) [ $code = 1 ] && grep -q '^not ok' "$work/out" &&
		grep -qF -- "${line#fails: }" "$work/out" ;;
	*) false ;;
	esac
	result "crash/$(basename "$file"): $(claim "$file")"
done

for file in "$here"/power/*.t; do
	"$crash" --power --nanoclaw "$replace" "$file" >"$work/out" 2>&1
	code=$?
	line=$(sed -n 's/^# \(passes\|fails: .*\)$/\1/p' "$file")
	case $line in
	passes) [ $code = 0 ] && grep -q '^ok 1 - .* old or new on every one$' "$work/out" ;;
	fails:*) [ $code = 1 ] && grep -q '^not ok' "$work/out" &&
		grep -qF -- "${line#fails: }" "$work/out" ;;
	*) false ;;
	esac
	result "power/$(basename "$file"): $(claim "$file")"
done

NANOCLAW_CRASH_STRIDE=2 "$crash" --nanoclaw "$replace" \
	"$here/crash/safely-with-recovery.t" >"$work/out" 2>&1 &&
	grep -q '^# crash points: 6$' "$work/out"
result "a stride checks every Kth point only"

names() { sed -n 's/^ok [0-9]* - //p' "$1" | sort; }
"$scenario" --nanoclaw "$replace" "$here/pass" >"$work/all"
: >"$work/out"
for shard in 1/3 2/3 3/3; do
	NANOCLAW_SHARD=$shard "$scenario" --nanoclaw "$replace" "$here/pass" >>"$work/out"
done
[ "$(names "$work/all")" = "$(names "$work/out")" ] &&
	[ "$(grep -c '^1\.\.' "$work/out")" = 3 ]
result "shards have every scenario once"

"$scenario" --nanoclaw "$replace" "$here/skip/skipped.t" >"$work/out" 2>&1 &&
	grep -q '^ok 1 - .* # SKIP .*no-such-program' "$work/out"
result "skip/skipped.t: $(claim "$here/skip/skipped.t")"

nothing_left
result "nothing is left in the temporary folder"

cat >"$work/x.t" <<'T'
# claim

== run ==
$ echo a 1; printf b
# this remark stays
> a [..]
> c
$ echo e >&2; exit 2
< input
? 1
$ echo as expected
> as [..]
T
cat >"$work/x.want" <<'T'
# claim

== run ==
$ echo a 1; printf b
> a 1
> b[no-newline]
# this remark stays
$ echo e >&2; exit 2
< input
? 2
2> e
$ echo as expected
> as [..]
T
"$scenario" --update --nanoclaw "$replace" "$work/x.t" >"$work/out" 2>&1
diff "$work/x.want" "$work/x.t" >>"$work/out"
result "--update writes what was answered and leaves what matches"
"$scenario" --nanoclaw "$replace" "$work/x.t" >"$work/out" 2>&1
result "an updated scenario passes"

"$scenario" --keep --nanoclaw "$replace" "$here/pass/files.t" >"$work/out" 2>&1
[ -f "$(sed -n 's/^# kept: //p' "$work/out")/plain" ]
result "--keep leaves the folder and says where"

"$scenario" --keep --nanoclaw "$replace" "$here/pass/background.t" >"$work/out" 2>&1
pid=$(cat "$(sed -n 's/^# kept: //p' "$work/out")/pid") && ! kill -0 "$pid" 2>/dev/null
result "a program in the background ends with its scenario"

cat >"$work/slow.t" <<'T'
# claim
== run ==
$ sleep 1000 & sleep 1000
T
"$scenario" --seconds 1 --nanoclaw "$replace" "$work/slow.t" >"$work/out" 2>&1
[ $? = 1 ] && grep -q 'slow.t:3: still running at the time limit' "$work/out"
result "a command that does not end is ended at the time limit"

"$scenario" --nanoclaw "$replace" "$work/no-such-file.t" >"$work/out" 2>&1
[ $? = 2 ]
result "a file that is not there is an error"

echo "1..$count"
exit $failed
