#!/bin/sh
# Tests of the bridge '@NAME@': sh bridges/@NAME@/test.sh
set -u

bridge=$(dirname "$0")/bridge.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/in"
failed=0

# The bridge runs in the background; the test plays the host.
start() {
	: >"$work/out"
	sh "$bridge" "$work/folder" <"$work/in" >"$work/out" &
	process=$!
	exec 3>"$work/in"
}

stop() {
	exec 3>&-
	wait "$process"
}

# Wait until a line of the output matches a pattern.
answers() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		! grep -q "$1" "$work/out" || return 0
		sleep 1
	done
	return 1
}

claim() {
	if "$@" >/dev/null; then
		echo "ok: $name"
	else
		echo "FAILED: $name"
		failed=1
	fi
}

start
name='hello comes first'
answers '"connected"'
claim sh -c "head -n 1 '$work/out' | grep '\"type\":\"hello\"'"

name='a ping is answered, and unknown lines are ignored'
echo '{"type":"something-new"}' >&3
echo '{"type":"ping"}' >&3
claim answers '"pong"'

name='a message is reported'
printf 'alice: say "hello"\n\nbob: good morning\n' >>"$work/folder/inbox"
claim answers '"sender":"alice".*"text":"say \\"hello\\""'
stop

name='it is reported again after a restart, until it is acknowledged'
start
claim answers '"sender":"alice"'
echo '{"chat":"@NAME@:1","id":"1","stored":true,"type":"ack"}' >&3
name='the next message is reported then'
claim answers '"sender":"bob"'

name='a text gets a receipt with its key'
send='{"again":false,"chat":"@NAME@:1","key":"k1","kind":"answer","text":"a \"quote\"","type":"send"}'
echo "$send" >&3
claim answers '"receipt","key":"k1","ok":true'
stop

name='the same key again gets a receipt'
start
echo "$send" >&3
claim answers '"receipt","key":"k1","ok":true'
name='but is sent once'
claim [ "$(wc -l <"$work/folder/outbox")" -eq 1 ]

name='it ends with exit code 0'
echo '{"type":"shutdown"}' >&3
claim stop
exit $failed
