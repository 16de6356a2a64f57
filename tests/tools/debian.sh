#!/bin/sh
# Does 'debian' say what the source says? tools/try-deb builds and tries the package.
set -u

cd "$(dirname "$0")/../.." || exit 1
count=0
failed=0

check() { # CLAIM EXPECTED GOT
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "expected: $2" "got: $3" | sed 's/^/# /'
		failed=1
	fi
}

check 'the newest entry of the changelog is this version' "nanoclaw ($(cat VERSION)-1)" \
	"$(sed -n '1s/).*/)/p' debian/changelog)"
# Compiler, make and ninja come with the build tools; the rest is needed when it runs.
check 'Build-Depends are the libraries and tools that building needs' \
	"$(awk '$1 == "build" && $2 ~ /-dev$|^meson$|^pkg-config$/ && $2 !~ /libc6?-dev/ { print $2 }' \
		packages.list | LC_ALL=C sort)" \
	"$(sed -n '/^Build-Depends:/,/^[A-Z][a-z]*-/p' debian/control | tr -d ' ,' |
		grep -v '^Build-Depends\|^Standards' | LC_ALL=C sort)"
echo "1..$count"
exit $failed
