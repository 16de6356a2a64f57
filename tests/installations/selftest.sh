#!/bin/sh
# Proves that installations.py can fail: it runs with tampered expectations, and with a program
# that changes a file it should leave alone.
#
#	selftest.sh NANOCLAW
set -u

nanoclaw=$(realpath "$1")
source=$(dirname "$0")
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
count=0
failed=0

# expect CODE NAME TEXT NANOCLAW: runs on one.tar.gz; TEXT is part of the output
expect() {
	count=$((count + 1))
	python3 "$here/installations.py" "$4" one >"$here/output" 2>&1
	code=$?
	if [ $code -eq "$1" ] && grep -qF -e "$3" "$here/output"; then
		printf 'ok %s - %s\n' $count "$2"
	else
		failed=1
		printf 'not ok %s - %s\n# exit code %s\n' $count "$2" $code
		sed 's/^/# /' "$here/output"
	fi
}

# tamper NAME SED TEXT: one line of the expectations is changed
tamper() {
	sed "$2" "$source/one.expected" >"$here/one.expected"
	expect 1 "$1" "$3" "$nanoclaw"
}

cp "$source/installations.py" "$source/one.tar.gz" "$source/one.expected" "$here"
expect 0 'untampered expectations pass' 'ok 1' "$nanoclaw"
tamper 'a wrong hash fails' '0,/^file b/s//file 0/' 'src/a.txt'
tamper 'a file that should be executable fails' '0,/^file \(.*telegram.txt\)/s//exec \1/' 'src/telegram.txt'
tamper 'a file that should be gone fails' '0,/^verify 0/s//&\ngone - src\/b.txt/' 'expected: gone - src/b.txt'
tamper 'a file that should stay fails' '0,/^gone - bin.send/{//d}' 'got:      gone - bin/send'
tamper 'a wrong exit code fails' '0,/^? 2/s//? 1/' 'expected: ? 1'
tamper 'a missing skill fails' '0,/^skill telegram/s//skill other 1.0.0\n&/' 'expected: skill other'
tamper 'a replay that differs fails' '0,/^again same/s//again gone - src\/b.txt/' 'got:      again same'

cp "$source/one.expected" "$here"
cat >"$here/nanoclaw" <<END
#!/bin/sh
"$nanoclaw" "\$@"
code=\$?
[ "\$1" != undo ] || echo more >>src/b.txt
exit \$code
END
chmod 755 "$here/nanoclaw"
expect 1 'a program that changes another file fails' 'src/b.txt now' "$here/nanoclaw"

echo "1..$count"
exit $failed
