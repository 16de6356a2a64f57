#!/bin/sh
# Do check.sh and names.py find what is wrong? Each case is a tree with one file in it.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0
checker="sh $here/check.sh"

# check NAME FILE EXPECTED, the content of FILE on standard input; EXPECTED is
# what the output must hold, or "ok". Its room may have 99 lines, unless `budget` says otherwise.
budget=
export BUDGET="$work/budget"
check() {
	rm -rf "$work/tree"
	mkdir -p "$work/tree/$(dirname "$2")"
	cat >"$work/tree/$2"
	room=$(dirname "${2#src/}")
	echo "${budget:-$room 99}" >"$BUDGET"
	$checker "$work/tree" >"$work/out" 2>&1
	code=$?
	count=$((count + 1))
	if [ "$3" = ok ]; then
		[ $code = 0 ]
	else
		[ $code = 1 ] && grep -q '^not ok' "$work/out" && grep -qF -- "$3" "$work/out"
	fi
	if [ $? = 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/out"
		failed=1
	fi
}

check 'a layer may use what its rule names' src/engine/disk/a.c ok <<'C'
#include <stdio.h>
#include "a.h"
#include "engine/disk/b.h"
#include "base/buf.h"
C
check 'an operation does not write past the transaction' src/engine/operation/a.c \
	'src/engine/operation/a.c:3: only the files in tests/layers/writers' <<'C'
void a(int fd)
{
	sys.unlink(fd, "a", 0);
}
C
check 'the transaction does' src/engine/disk/a.c ok <<'C'
void a(int fd)
{
	sys.unlink(fd, "a", 0);
}
C
check 'a slash names a folder with everything below it' src/cli/assistant/a.c ok <<'C'
#include "host/a.h"
#include "engine/a.h"
#include "engine/disk/a.h"
#include "cli/a.h"
C
check 'a room may not use the one above it' src/cli/a.c \
	'src/cli/a.c:1: cli may not include "cli/skills/a.h"' <<'C'
#include "cli/skills/a.h"
C
check 'the frame of the command line may not use the host' src/cli/a.c \
	'src/cli/a.c:1: cli may not include "host/a.h"' <<'C'
#include "host/a.h"
C
check 'the engine may not use the store' src/engine/disk/a.c \
	'src/engine/disk/a.c:2: engine/disk may not include "ledger/a.h"' <<'C'
#include "base/buf.h"
#include "ledger/a.h"
C
check 'a header is checked as well' src/base/deep/a.h \
	'src/base/deep/a.h:1: base may not include "engine/a.h"' <<'C'
#  include "engine/a.h"
C
check 'angle brackets are no way around the rules' src/engine/disk/a.c \
	'src/engine/disk/a.c:1: engine/disk may not include <ledger/a.h>' <<'C'
#include <ledger/a.h>
C
check 'the headers of the system may be used' src/engine/disk/a.c ok <<'C'
#include <sys/stat.h>
#include <stdio.h>
#include <base/buf.h>
C
check 'nothing is included by way of the parent folder' src/engine/disk/a.c \
	'"../ledger/a.h" is not named from src' <<'C'
#include "../ledger/a.h"
C
check 'a folder without a rule is found' src/newcomer/a.c \
	'there is no rule for src/newcomer' <<'C'
int a;
C
check 'a file outside of any layer is found' src/a.c 'there is no rule for src/.' <<'C'
int a;
C
check 'the table may be called, and names may be spoken of' src/base/a.c ok <<'C'
/* rename(a, b) is what
 * unlink(a) is not */
int a(void)
{
	log_debug("cannot rename(%s), \" unlink(x) O_CREAT"); // fsync(fd)
	sys.rename(a, b); calls->unlink(c); tree_remove(&t); my_link(x);
	fd = sys.create(dirfd, name,
		O_WRONLY | O_CREAT | O_EXCL, 0600);
	f = fopen(path, "re");
	g = '"'; h = open(path, O_RDONLY | O_CLOEXEC);
}
C
check 'alloc.c may write its last words' src/base/alloc.c ok <<'C'
int a = write(2, b, c);
C
check 'sys.c may call all' src/fs/sys.c ok <<'C'
int a = rename(b, c);
C
for call in renameat2 rename unlinkat unlink mkdirat mkdir linkat link symlinkat symlink \
	ftruncate fsync fdatasync fchmod fchmodat chmod utimensat futimens mkstemp rmdir \
	remove copy_file_range write pwrite writev sendfile splice dprintf mkdtemp mkostemp \
	mkfifoat mknodat setxattr fsetxattr posix_fallocate syncfs; do
	check "$call() past the table is found" src/host/a.c \
		"src/host/a.c:3: $call() is called past the table" <<C
int a(void)
{
	if (x && $call (a))
		return 1;
}
C
done
check 'a call behind a string and a comment is found' src/base/a.c 'unlink() is called' <<'C'
int a = f("/*", '"', /* x */ unlink("y"));
C
check 'open with O_CREAT is found' src/base/a.c 'src/base/a.c:2: O_CREAT' <<'C'
int a = openat(fd, name,
	O_WRONLY | O_CREAT, 0600);
C
check 'O_TRUNC is found' src/base/a.c 'src/base/a.c:1: O_CREAT' <<'C'
int a = open(name, O_WRONLY | O_TRUNC);
C
for mode in w a we wb r+ rb+; do
	check "fopen with \"$mode\" is found" src/base/a.c 'fopen() for writing' <<C
FILE *f = fopen(path(a, b),
	"$mode");
C
done
check 'a key of state.yaml outside of its room is found' src/engine/stack/a.c \
	'src/engine/stack/a.c:1: "files_added" is a key of state.yaml' <<'C'
int a = f(node, "name", "files_added");
C
check 'the state spells its keys' src/engine/state/a.c ok <<'C'
int a = f(node, "files_added");
C
check 'a manifest has file operations, too' src/engine/package/manifest.c ok <<'C'
int a = f(node, "file_ops");
C
check 'but nothing else of the state' src/engine/package/manifest.c '"moved" is a key' <<'C'
int a = f(node, "moved");
C

budget='base 3'
check 'a room within its budget passes; blank lines and comments cost nothing' src/base/a.c ok <<'C'
#include <stdio.h>

/* a comment
 * of two lines */
int a; /* and one */
// behind code
int b; // here
C
check 'a room above its budget fails, with both numbers' src/base/a.c \
	'src/base has 4 lines of code, and its budget is 3' <<'C'
#include <stdio.h>
int a;
int b = f("/*",
	c);
C
check 'a room without a budget fails' src/fs/a.c 'src/fs has 1 lines of code and no budget' <<'C'
int a;
C
check 'a budget without a room fails' src/fs/a.c 'src/base has a budget, and no lines' <<'C'
int a;
C
budget='web/pages 2'
check 'pages are counted' src/web/pages/a.js 'src/web/pages has 3 lines of code' <<'JS'
// Shows a page.
const page = {
	a: "//",
}
JS
budget='time/phrase/languages 1'
check 'a table of data is counted without its comments' src/time/phrase/languages/a.txt \
	'src/time/phrase/languages has 2 lines of code' <<'TXT'
# days
monday 1
tuesday 2
TXT
budget=

# Skills bring rooms and lines of their own.
mkdir -p "$work/tree/.nanoclaw" "$work/tree/src/base"
printf 'applied_skills:\n  - applied_at: today\n    name: telegram\n' >"$work/tree/.nanoclaw/state.yaml"
printf 'int a;\nint b;\n' >"$work/tree/src/base/a.c"
echo 'base 1' >"$BUDGET"
count=$((count + 1))
if $checker "$work/tree" >"$work/out" 2>&1 &&
	grep -q '^# src/base has 2 lines of code, and its budget is 1: skills were applied' "$work/out"; then
	echo "ok $count - in a tree with skills, a room above its budget passes with a note"
else
	echo "not ok $count - in a tree with skills, a room above its budget passes with a note"
	sed 's/^/# /' "$work/out"
	failed=1
fi

command -v python3 >/dev/null || {
	echo "1..$count"
	exit $failed
}
checker="python3 $here/names.py"
check 'comments may name what exists' src/base/a.h ok <<'C'
/* Call a_new() and AN_ARRAY(x), then a->run() with `an_argument`; see openat2() and read(2). */
#define AN_ARRAY(x) x
struct a { int (*run)(int an_argument); } a_new(void);
C
check 'a function that is only named in a comment is found' src/base/a.h \
	'src/base/a.h:3: there is no a_release' <<'C'
/*
 * Call a_new(), and
 * a_release() at the end.
 */
int a_new(int a_release);
C
check 'code in a string or a comment is none' src/base/a.c \
	'src/base/a.c:1: there is no a_release' <<'C'
int a; // a_release() ends it
char *b = "a_release()"; /* int a_release(void); */
C
check 'a name without parentheses is found' src/base/a.h \
	'src/base/a.h:1: there is no a_limit' <<'C'
int a; /* at most a_limit of them */
C

echo "1..$count"
exit $failed
