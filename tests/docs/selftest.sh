#!/bin/sh
# Does pages.py notice a page that is wrong?
#
#	selftest.sh NANOCLAW
set -u

here=$(cd "$(dirname "$0")" && pwd)
nanoclaw=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0

check() { # CLAIM EXPECTED-LINE; the page is on standard input
	count=$((count + 1))
	sed "s/^'''/\`\`\`/" >"$work/page.md"
	python3 "$here/pages.py" "$nanoclaw" "$work/page.md" >"$work/out" 2>&1
	if grep -q "^$2" "$work/out"; then
		echo "ok $count - $1"
	else
		failed=1
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/out"
	fi
}

check 'a page that is right passes' 'ok 1 ' <<'END'
'''console
$ echo one; date +%F; echo two
one
2001-02-03
...
'''
END
check 'a wrong line fails' 'not ok 1 ' <<'END'
'''console
$ echo one
two
'''
END
check 'a line that is missing fails' 'not ok 1 ' <<'END'
'''console
$ printf 'one\ntwo\n'
one
'''
END
check 'a command without output must succeed' 'not ok 1 ' <<'END'
'''console
$ false
'''
END
check 'a setup must succeed' 'not ok 1 ' <<'END'
<!-- test setup: false -->
'''console
$ echo one
one
'''
END
check 'a block without a command is compared with the last one' 'not ok 2 ' <<'END'
'''console
$ echo one
one
'''

'''console
two
'''
END
check 'a skipped block names its reason' 'ok 1 .* # SKIP needs a model' <<'END'
<!-- test skip: needs a model -->
'''console
$ false
'''
END
echo "1..$count"
exit $failed
