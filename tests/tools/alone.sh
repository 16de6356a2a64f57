#!/bin/sh
# Is the program with the engine alone (-Dhost=false) small, and without the assistant's libraries?
#
#	alone.sh NANOCLAW ALONE
set -u

count=0
failed=0
tell() { # CLAIM, of the last command
	code=$?
	count=$((count + 1))
	[ $code = 0 ] || failed=1
	[ $code = 0 ] && echo "ok $count - $1" || echo "not ok $count - $1"
}
# Statically or not, and also what is only loaded when it is needed.
uses() { # PROGRAM
	{
		nm "$1"
		nm -D "$1"
		grep -ao 'lib[a-z0-9]*\.so\.[0-9]*' "$1"
	} | grep -E 'uv_run|sqlite3_open|curl_easy|libuv|libsqlite|libcurl|libmd4c|libwslay|libedit'
}

[ "$(uses "$1" | wc -l)" -gt 4 ]
tell 'the usual program uses libuv, SQLite and libcurl'
"$2" --version >/dev/null && ! uses "$2" | sed 's/^/# /' | grep .
tell 'the engine alone uses none of them'
[ "$("$2" help --all | grep -cE '^  (run|group add|task add|chat|usage) ')" = 0 ]
tell 'its help lists no command of the assistant'
left=0
for name in $("$1" help --all | sed -n 's/^  \([a-z-]*\) .*/\1/p' | sort -u); do
	"$2" help "$name" 2>&1 | grep -q 'is not a nanoclaw command' && {
		echo "# $name"
		left=1
	}
done
[ $left = 0 ]
tell 'it knows every command of the usual program, or says that it is left out'
echo "1..$count"
exit $failed
