#!/bin/sh
# Does tools/count-tests see every way in which a test can fail?
#
# meson-1.0.junit.xml and .json are what meson 1.0.1 wrote about test programs
# that end in all these ways. Each is cut out and counted on its own.
set -u

here=$(cd "$(dirname "$0")" && pwd)
tool=$here/../../tools/count-tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0

# check CLAIM EXPECTED-OUTPUT EXPECTED-CODE FILE...
check() {
	claim=$1 output=$2 code=$3
	shift 3
	got=$("$tool" "$@" 2>&1)
	got_code=$?
	count=$((count + 1))
	if [ "$got" = "$output" ] && [ $got_code = "$code" ]; then
		echo "ok $count - $claim"
	else
		echo "not ok $count - $claim"
		echo "# expected '$output' and exit code $code"
		echo "# got      '$got' and exit code $got_code"
		failed=1
	fi
}

# The part about one test program, as a log of its own.
cut_out() {
	case $1 in
	slower | exit-* | silent | empty | skipall | should)
		awk -v RS='<testcase ' -v name="name=\"$1\"" 'index($0, name) == 1 {
			sub(/<\/testsuite>.*/, "")
			printf "<testsuites><testsuite name=\"ct\"><testcase %s</testsuite></testsuites>", $0
		}' "$here/meson-1.0.junit.xml" ;;
	*)
		awk -v RS='<testsuite ' -v name="name=\"ct.$1\"" 'index($0, name) == 1 {
			printf "<testsuites><testsuite %s", $0
		}' "$here/meson-1.0.junit.xml" ;;
	esac >"$work/$1.junit.xml"
	cp "$here/meson-1.0.json" "$work/$1.json"
}

of() { # PROGRAM CLAIM EXPECTED-OUTPUT
	cut_out "$1"
	code=1
	case $3 in [1-9]*' passed, 0 failed' | *'
'[1-9]*' passed, 0 failed') code=0 ;; esac
	check "$2" "$3" $code "$work/$1.junit.xml"
}

of good 'every result counts' '2 passed, 0 failed'
of late 'the plan may come last' '1 passed, 0 failed'
of bad 'a failed result is not counted twice for the exit code' '1 passed, 1 failed'
of badzero 'a failed result counts with exit code 0' '0 passed, 1 failed'
of skip 'skipped results are counted apart' '# 1 skipped
1 passed, 0 failed'
of skipall 'a program may skip all' '# 1 skipped
0 passed, 0 failed'
of crashed 'a program that crashes within its plan has failed' '1 passed, 1 failed'
of fewer 'a program that ends within its plan has failed' '1 passed, 1 failed'
of noplan 'a program that fails without a plan has failed' '1 passed, 1 failed'
of noplanzero 'a program without a plan has failed' '1 passed, 1 failed'
of empty 'a program that fails without a word has failed' '0 passed, 1 failed'
of silent 'a program that says nothing has failed' '0 passed, 1 failed'
of slow 'a timeout within the plan is a failure' '1 passed, 1 failed'
of slower 'a timeout before the first result is a failure' '0 passed, 1 failed'
of slowlate 'a timeout before a late plan is a failure' '1 passed, 1 failed'
of bail 'a bail-out is a failure' '1 passed, 1 failed'
of todo 'a known failure does not count as one' '1 passed, 0 failed'
of todopass 'a known failure that passes is one' '0 passed, 1 failed'
of xml 'output that looks like XML or a log is only output' '1 passed, 0 failed'
of exit-ok 'exit code 0 passes' '1 passed, 0 failed'
of exit-bad 'exit code 1 fails' '0 passed, 1 failed'
of exit-slow 'a timeout without TAP is a failure' '0 passed, 1 failed'
of exit-skip 'exit code 77 skips' '# 1 skipped
0 passed, 0 failed'
of should 'an expected failure passes' '1 passed, 0 failed'

check 'a whole log is counted' '# 3 skipped
16 passed, 15 failed' 1 "$here/meson-1.0.junit.xml"
check 'several logs are summed' '18 passed, 0 failed' 0 \
	"$work/good.junit.xml" "$work/good.junit.xml" "$work/good.junit.xml" \
	"$work/good.junit.xml" "$work/good.junit.xml" "$work/good.junit.xml" \
	"$work/good.junit.xml" "$work/good.junit.xml" "$work/good.junit.xml"
check 'one failure in several logs is a failure' '3 passed, 1 failed' 1 \
	"$work/good.junit.xml" "$work/crashed.junit.xml"
check 'a log that is not there is an error' \
	"error: cannot read '$work/no.junit.xml'" 2 "$work/no.junit.xml"

echo "1..$count"
exit $failed
