#!/bin/sh
# Hostile stores: 'restore' refuses a backup that holds one, and every command refuses one
# that lies in the project, with exit code 2; and nothing is touched.
#
#	restore.sh NANOCLAW
#
# Every case begins with the same project and spoils its store with SQL or by force. Then
# the store is tried where it lies, and as a backup, which 'backup' makes of any store.
# The whole tree, with what lies beside the project, must be the same before and after but
# for locks, logs, data/run and the files that SQLite keeps beside a database. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
here=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$here" && rm -rf "$here"' EXIT
count=0
failed=0
project=$here/all/project
victim=$here/all/victim
store=$project/store/nanoclaw.db
umask 022

mkdir -p "$here/good" && "$nanoclaw" -q -C "$here/good" group add test:1 Dev --folder dev \
	>/dev/null || exit 1

build() {
	rm -rf "$here/all"
	mkdir -p "$here/all/outside" "$here/all/groups" "$victim/groups/main"
	echo kept >"$here/all/outside/kept"
	echo kept >"$here/all/kept"
	cp -a "$here/good" "$project"
	echo kept >"$victim/groups/main/kept"
	cp -a "$project/store" "$victim/store"
}

# Not the store itself, which SQLite touches, nor what a host that starts writes.
listed="! -name nanoclaw.db* ! -name b.tar.gz ! -name *lock ! -path ./project/logs* ! -path ./project/data/run/*"

# shellcheck disable=SC2086 # each word is one of find
describe() {
	(
		set -f
		cd "$here/all" &&
			find . $listed ! -path './project/data*' -printf '%p %y %m %l\n' |
			LC_ALL=C sort &&
			find . -type f $listed -print0 | LC_ALL=C sort -z | xargs -0 sha256sum &&
			sha256sum victim/store/nanoclaw.db
	)
}

report() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$here/output" "$here/difference" 2>/dev/null | head -n 12
		failed=1
	fi
}

# try NAME FOLDER WORDS...: exit code 2, and nothing has changed.
try() {
	claim=$1 folder=$2
	shift 2
	describe >"$here/before"
	timeout 60 "$nanoclaw" -C "$folder" "$@" >"$here/output" 2>&1 </dev/null
	code=$?
	describe >"$here/after"
	diff "$here/before" "$here/after" >"$here/difference" 2>&1 && [ $code = 2 ]
	report $? "$claim: $1"
}

# With the host's own start, which finishes what an earlier one has left.
started() {
	build
	sqlite3 "$store" "$2" || exit 1
	try "$1" "$project" run
}

# In a backup.
restored() {
	build
	sqlite3 "$store" "$2" || exit 1
	if "$nanoclaw" -q -C "$project" backup "$here/all/b.tar.gz" >"$here/output" 2>&1; then
		try "$1" "$victim" restore "$here/all/b.tar.gz"
	else
		report 1 "$1: backup"
	fi
}

both() {
	started "$1" "$2"
	restored "$1" "$2"
}

build
"$nanoclaw" -q -C "$project" backup "$here/all/b.tar.gz" >"$here/output" 2>&1 &&
	"$nanoclaw" -q -C "$victim" restore "$here/all/b.tar.gz" >>"$here/output" 2>&1
report $? "an innocent store comes back"

# A migration of a skill that this program does not have.
next=$(($(sqlite3 "$store" 'PRAGMA user_version') + 1))
recorded() { # SQL that is recorded
	echo "INSERT INTO migrations VALUES ('9999_x.sql', '$1'); PRAGMA user_version = $next"
}
build
sqlite3 "$store" "CREATE TABLE more (x); $(recorded 'CREATE TABLE more (x)')" || exit 1
"$nanoclaw" -q -C "$project" backup "$here/all/b.tar.gz" >"$here/output" 2>&1 &&
	"$nanoclaw" -q -C "$victim" restore "$here/all/b.tar.gz" >>"$here/output" 2>&1
report $? "a table more comes back if an additive migration made it"
restored "a migration that is not additive" "$(recorded 'DELETE FROM audit')"
restored "a migration with a trigger" \
	"CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM audit; END;
	$(recorded 'CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM audit; END')"
restored "a table that its migration does not make" \
	"CREATE TABLE more (x); $(recorded 'CREATE TABLE other (x)')"
restored "a migration that did not run" "$(recorded 'CREATE TABLE more (x)')"
restored "a migration that is not there" "DELETE FROM migrations WHERE rowid = 3"
restored "migrations in an order in which they cannot have run" \
	"UPDATE migrations SET rowid = 99 WHERE rowid = 1"

# Names that become paths. None leads out of $here: a program that has lost its checks does
# as they say.
for name in ../outside ../../outside .. . '' "$here/all/outside" a/b a/../../../outside -x .hidden global \
	'a b' "$(printf 'a\nb')" äöü \
	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; do
	[ -z "$name" ] ||
		restored "a removal of '$(printf %s "$name" | tr '\n' ' ')'" "INSERT INTO removals VALUES ('$name')"
	restored "the folder '$(printf %s "$name" | tr '\n' ' ')' of a group" \
		"PRAGMA foreign_keys = OFF; UPDATE registered_groups SET folder = '$name' WHERE folder = 'dev'"
done
for name in ../outside "$here/all/outside" a/../../outside; do
	restored "the file '$name'" "INSERT INTO attachments (group_folder, state, file, added_at)
		VALUES ('dev', 'stored', '$name', 'x')"
	restored "the user skill '$name'" "INSERT INTO skill_files VALUES ('$name', 's', 'h', 1, 1, 1, 1, 1)"
done
both "the folder of main" "UPDATE registered_groups SET folder = '../outside' WHERE is_main"
restored "main in another folder" "UPDATE registered_groups SET is_main = 0;
	UPDATE registered_groups SET is_main = 1 WHERE folder = 'dev'"
restored "a group without a chat" "UPDATE registered_groups SET jid = '' WHERE folder = 'dev'"
restored "a chat with a line end" \
	"UPDATE registered_groups SET jid = 'x:1' || char(10) || 'y' WHERE folder = 'dev'"

# Schema that SQLite would run by itself, or read as something else.
restored "a trigger" "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM audit; END"
restored "a view" "CREATE VIEW v AS SELECT * FROM messages"
restored "a view in place of a table" "ALTER TABLE audit RENAME TO a;
	CREATE VIEW audit AS SELECT * FROM a"
restored "a table more" "CREATE TABLE more (x)"
restored "a table less" "DROP TABLE steps"
restored "an index more" "CREATE INDEX i ON messages (content)"
restored "an index less" "DROP INDEX turns_open"
restored "a column more" "ALTER TABLE messages ADD COLUMN more TEXT"
restored "a column less" "ALTER TABLE messages DROP COLUMN alone"
restored "a check less" "ALTER TABLE audit RENAME TO a; CREATE TABLE audit AS SELECT * FROM a;
	DROP TABLE a"
restored "a virtual table" "CREATE VIRTUAL TABLE f USING fts5 (x)"
restored "a row that points to nothing" "PRAGMA foreign_keys = OFF;
	INSERT INTO sessions VALUES ('nobody', 's', 'x', 'x', 0)"
restored "a newer version" "PRAGMA user_version = 1000"
restored "a negative version" "PRAGMA user_version = -1"
restored "an older version of the same tables" "PRAGMA user_version = 1"

# Not a store at all: refused, and not taken for a new one.
spoiled() {
	build
	(cd "$project/store" && rm -f nanoclaw.db-wal nanoclaw.db-shm && eval "$2") || exit 1
	cp -a "$project/store" "$here/spoiled"
	for words in "run" "group list" "group add test:2 Ops" "backup $here/all/b.tar.gz"; do
		# shellcheck disable=SC2086
		try "$1" "$project" $words
		if [ -e "$here/spoiled/nanoclaw.db" ] &&
			! cmp -s "$here/spoiled/nanoclaw.db" "$store"; then
			report 1 "$1: stays as it is ($words)"
		fi
	done
	rm -rf "$here/spoiled"
}
spoiled "an empty store" ': >nanoclaw.db'
spoiled "a store of one page" 'truncate -s 4096 nanoclaw.db'
spoiled "half a store" 'truncate -s "$(($(stat -c %s nanoclaw.db) / 2))" nanoclaw.db'
spoiled "a store of 100 bytes" 'truncate -s 100 nanoclaw.db'
spoiled "a text" 'echo text >nanoclaw.db'
spoiled "a database without tables" 'rm nanoclaw.db; sqlite3 nanoclaw.db "PRAGMA user_version = 0; VACUUM"'
spoiled "another program's database" 'rm nanoclaw.db; sqlite3 nanoclaw.db "CREATE TABLE x (y)"'
spoiled "a log without its store" 'sqlite3 nanoclaw.db ".filectrl persist_wal 1" "DELETE FROM meta" >/dev/null
	mv nanoclaw.db-wal w; rm -f nanoclaw.db*; mv w nanoclaw.db-wal'

echo "1..$count"
exit $failed
