#include "../test.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/check.h"
#include "db/migrate.h"
#include "db/query.h"
#include "db/store.h"
#include "ledger/chats.h"
#include "ledger/groups.h"
#include "tempdir.h"

static void exec(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void a_new_store_has_the_schema_and_a_name(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(strlen(store_installation(store)), 8);
	assert_int_equal(query_number(store, -1, &number, &err,
				 "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
				 " AND name IN ('registered_groups', 'sessions', 'messages',"
				 " 'chats', 'scheduled_tasks')",
				 ""),
		0);
	assert_int_equal(number, 5);
}

static void it_is_opened_durable_and_strict(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(query_number(store, -1, &number, &err, "PRAGMA synchronous", ""), 0);
	assert_int_equal(number, 2);
	assert_int_equal(query_number(store, -1, &number, &err, "PRAGMA foreign_keys", ""), 0);
	assert_int_equal(number, 1);
}

static void a_store_that_is_not_there_is_told_apart(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct store *store = NULL;
	struct tempdir *temp = *state;

	assert_int_equal(store_open(temp->path, STORE_READ, &store, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	assert_false(tempdir_exists(temp->fd, "store"));
}

static void a_newer_store_is_refused_and_left_alone(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct store *again = NULL;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", temp->path);

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	exec(path, "PRAGMA user_version = 99");
	assert_int_equal(store_open(temp->path, STORE_WRITE, &again, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(store_open(temp->path, STORE_READ, &again, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void a_damaged_store_says_what_to_do(void **state)
{
	struct tempdir *temp = *state;
	enum store_mode modes[] = {STORE_READ, STORE_WRITE};

	tempdir_mkdir(temp->fd, "store");
	tempdir_put(temp->fd, "store/nanoclaw.db",
		"no database, but long enough to be one: no database, but long enough to be "
		"one: no database, but long enough to be one");
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct store *store = NULL;

		assert_int_equal(store_open(temp->path, modes[i], &store, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_non_null(strstr(err.message, "file is not a database"));
		assert_non_null(strstr(err.hint, "nanoclaw doctor"));
	}
}

static void an_empty_file_is_damage(void **state)
{
	static const enum store_mode modes[] = {STORE_READ, STORE_WRITE};
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "store");
	tempdir_put(temp->fd, "store/nanoclaw.db", "");
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct store *store = NULL;

		assert_int_equal(store_open(temp->path, modes[i], &store, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
}

/* Root can write everywhere, so another user reads it. */
static int read_as_nobody(const struct tempdir *temp)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct store *store = NULL;

		if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(2);
		_exit(store_open(temp->path, STORE_READ, &store, &err) < 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void a_store_that_may_only_be_read_is_read(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct store *store = NULL;
	struct tempdir *temp = *state;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	store_free(store);
	fchmod(temp->fd, 0755);
	assert_int_equal(fchmodat(temp->fd, "store/nanoclaw.db", 0444, 0), 0);
	assert_int_equal(fchmodat(temp->fd, "store", 0555, 0), 0);
	assert_int_equal(read_as_nobody(temp), 0);
	assert_int_equal(fchmodat(temp->fd, "store", 0700, 0), 0);
}

static void a_folder_that_was_there_is_closed_to_others(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	struct stat st;

	tempdir_mkdir(temp->fd, "store");
	assert_int_equal(fchmodat(temp->fd, "store", 0755, 0), 0);
	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(fstatat(temp->fd, "store", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
}

/* --- chats ------------------------------------------------------------------- */

static void note(struct store *store, const char *prefix, int number, bool registered)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *jid = xasprintf("%s%d", prefix, number);

	assert_int_equal(store_chat_note(store, jid, jid, "test", CHAT_GROUP, 1000000 + number,
				 registered, &err),
		0);
}

static void new_chats_take_the_place_of_those_silent_longest(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	struct txn txn = TXN_INIT;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(txn_begin(&txn, store, &err), 0);
	assert_int_equal(
		query_run(store, &err,
			"INSERT INTO registered_groups (jid, name, folder,"
			" trigger_pattern, added_at) VALUES ('kept:1', 'K', 'k', '@k', '')",
			""),
		0);
	note(store, "kept:", 1, true);
	for (int i = 0; i < CHATS_MAX + 10; i++)
		note(store, "flood:", i, false);
	assert_int_equal(txn_commit(&txn, "test", &err), 0);
	assert_int_equal(query_number(store, -1, &number, &err,
				 "SELECT (SELECT count(*) <= ? FROM chats)"
				 " AND EXISTS (SELECT 1 FROM chats WHERE jid = 'kept:1')"
				 " AND EXISTS (SELECT 1 FROM chats WHERE jid = 'flood:10009')"
				 " AND NOT EXISTS (SELECT 1 FROM chats WHERE jid = 'flood:0')",
				 "i", (int64_t)CHATS_MAX),
		0);
	assert_int_equal(number, 1);
}

/* --- migrations -------------------------------------------------------------- */

static const struct migration older[] = {
	{"1", "CREATE TABLE a (x)"},
	{0},
};

static const struct migration newer[] = {
	{"1", "CREATE TABLE a (x)"},
	{"2", "CREATE TABLE b (x); INSERT INTO b SELECT x FROM a"},
	{0},
};

static const struct migration broken[] = {
	{"1", "CREATE TABLE a (x)"},
	{"2", "CREATE TABLE b (x); INSERT INTO b SELECT y FROM a"},
	{0},
};

static sqlite3 *open_old(const char *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(migrate(db, path, older, &err), 0);
	assert_int_equal(
		sqlite3_exec(db, "INSERT INTO a VALUES (7)", NULL, NULL, NULL), SQLITE_OK);
	return db;
}

static void a_migration_keeps_a_copy_of_what_was(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	CLEANUP(freep) char *copy = xasprintf("%s/db.before-2", temp->path);
	sqlite3 *db = open_old(path);
	int version;

	assert_false(tempdir_exists(temp->fd, "db.before-1"));
	assert_int_equal(migrate(db, path, newer, &err), 0);
	assert_int_equal(migrate_version(db, &version, &err), 0);
	assert_int_equal(version, 2);
	exec(path, "DELETE FROM b WHERE x = 7");
	sqlite3_close(db);
	/* The copy is of the older version, with its row. */
	assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
	assert_int_equal(migrate_version(db, &version, &err), 0);
	assert_int_equal(version, 1);
	assert_int_equal(sqlite3_exec(db, "SELECT x FROM a", NULL, NULL, NULL), SQLITE_OK);
	assert_int_not_equal(sqlite3_exec(db, "SELECT x FROM b", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void the_copy_is_of_the_store_as_it_was_last(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	CLEANUP(freep) char *copy = xasprintf("%s/db.before-2", temp->path);
	sqlite3 *db = open_old(path);

	/* Of a build that was taken back, and of one that was killed while it copied. */
	assert_int_equal(migrate(db, path, broken, &err), -1);
	error_clear(&err);
	exec(path, "INSERT INTO a VALUES (8)");
	tempdir_put(temp->fd, "db.before-2.new", "SQLite format 3");
	assert_int_equal(migrate(db, path, newer, &err), 0);
	sqlite3_close(db);
	exec(copy,
		"CREATE TABLE n (rows CHECK (rows = 2)); INSERT INTO n SELECT count(*) FROM a");
	assert_false(tempdir_exists(temp->fd, "db.before-2.new"));
}

static void a_migration_that_fails_changes_nothing(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	sqlite3 *db = open_old(path);
	int version;

	assert_int_equal(migrate(db, path, broken, &err), -1);
	assert_int_equal(migrate_version(db, &version, &err), 0);
	assert_int_equal(version, 1);
	assert_int_not_equal(sqlite3_exec(db, "SELECT x FROM b", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static const struct migration slack[] = {
	{"1", "CREATE TABLE a (x)"},
	{"2_slack", "CREATE TABLE s (x)"},
	{0},
};

static const struct migration telegram[] = {
	{"1", "CREATE TABLE a (x)"},
	{"2_telegram", "CREATE TABLE t (x); CREATE INDEX i ON t (x);"
		       "ALTER TABLE a ADD COLUMN chat TEXT; -- the chat"},
	{0},
};

static const struct migration both[] = {
	{"1", "CREATE TABLE a (x)"},
	{"2_slack", "CREATE TABLE s (x)"},
	{"2_telegram", "CREATE TABLE t (x); CREATE INDEX i ON t (x);"
		       "ALTER TABLE a ADD COLUMN chat TEXT; -- the chat"},
	{0},
};

static void migrations_run_in_any_order(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	sqlite3 *db = open_old(path);
	int number;

	assert_int_equal(migrate(db, path, telegram, &err), 0);
	/* One that sorts before the last one, and the same once more. */
	assert_int_equal(migrate(db, path, both, &err), 0);
	assert_int_equal(sqlite3_exec(db, "SELECT x FROM s", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(migrate_missing(db, path, both, &number, &err), 0);
	assert_int_equal(number, 0);
	assert_int_equal(migrate(db, path, both, &err), 0);
	assert_int_equal(migrate_version(db, &number, &err), 0);
	assert_int_equal(number, 3);
	sqlite3_close(db);
}

static void what_another_build_added_is_left_alone(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	sqlite3 *db = open_old(path);
	sqlite3 *like = NULL;
	int missing;

	assert_int_equal(migrate(db, path, telegram, &err), 0);
	/* The skill was removed, another was applied. */
	assert_int_equal(migrate(db, path, slack, &err), 0);
	assert_int_equal(sqlite3_exec(db, "SELECT chat FROM a", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_open(":memory:", &like), SQLITE_OK);
	assert_int_equal(migrate_like(like, db, "store", slack, &err), 0);
	assert_int_equal(
		sqlite3_exec(like, "SELECT chat FROM a, t, s", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(migrate_missing(db, path, older, &missing, &err), 0);
	assert_int_equal(missing, 0);
	sqlite3_close(like);
	sqlite3_close(db);
}

static void what_another_build_changed_is_refused(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	sqlite3 *db = open_old(path);

	assert_int_equal(migrate(db, path, newer, &err), 0);
	assert_int_equal(migrate(db, path, older, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(strstr(err.message, "was changed by '2', which this program"));
	sqlite3_close(db);
}

static void a_store_that_only_counted_gets_the_names(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/db", temp->path);
	sqlite3 *db = open_old(path);
	int missing;

	assert_int_equal(
		sqlite3_exec(db, "DROP TABLE migrations", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(migrate_missing(db, path, newer, &missing, &err), 0);
	assert_int_equal(missing, 1);
	assert_int_equal(migrate(db, path, newer, &err), 0);
	assert_int_equal(sqlite3_exec(db, "SELECT x FROM b", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(migrate(db, path, newer, &err), 0);
	sqlite3_close(db);
}

static void additive_is_what_an_older_program_never_sees(void **state)
{
	static const char *const yes[] = {
		"",
		"-- nothing\n",
		"create table a (x); CREATE INDEX b ON a (x)\n;\n",
		"CREATE TABLE IF NOT EXISTS a (x INTEGER CHECK (x > 0)); -- DROP TABLE c",
		"ALTER TABLE messages ADD COLUMN media TEXT NOT NULL DEFAULT ''",
		"ALTER TABLE \"messages\" ADD media TEXT",
	};
	static const char *const no[] = {
		"DROP TABLE a",
		"CREATE TABLE a (x); DELETE FROM a",
		"CREATE TABLE a AS SELECT 1",
		"CREATE VIEW v AS SELECT 1",
		"CREATE UNIQUE INDEX i ON a (x)",
		"CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END",
		"CREATE VIRTUAL TABLE f USING fts5 (x)",
		"ALTER TABLE a RENAME TO add_b",
		"ALTER TABLE a RENAME COLUMN x TO y",
		"ALTER TABLE a DROP COLUMN x",
		"ALTER TABLE a ADD COLUMN b CHECK (0)",
		"CREATE TEMP TABLE t (x)",
		"/* DROP */ CREATE TABLE a (x)",
		"UPDATE a SET x = 'CREATE TABLE a'",
		"ALTER TABLE a ADD COLUMN b REFERENCES c (x)",
		"PRAGMA user_version = 3",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (!migration_is_additive(view_of(yes[i])))
			fail_msg("%s", yes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (migration_is_additive(view_of(no[i])))
			fail_msg("%s", no[i]);
}

static void an_inner_rollback_fails_the_outer_commit(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	struct tempdir *temp = *state;
	struct txn txn = TXN_INIT;
	struct txn inner = TXN_INIT;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(txn_begin(&txn, store, &err), 0);
	assert_int_equal(query_run(store, &err, "INSERT INTO meta VALUES ('a', 'b')", ""), 0);
	assert_int_equal(txn_begin(&inner, store, &err), 0);
	txn_end(&inner);
	assert_int_equal(txn_commit(&txn, "outer", &err), -1);
	assert_int_equal(query_number(store, -1, &number, &err,
				 "SELECT count(*) FROM meta WHERE name = 'a'", ""),
		0);
	assert_int_equal(number, 0);
}

static void folders_are_checked(void **state)
{
	static const char *const good[] = {"main", "a", "Family_2", "0-9"};
	static const char *const bad[] = {"", "-a", "_a", "a b", "a/b", "..", ".", "a.b",
		"global", "Global", "\xc3\xa4", "a\n",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_int_equal(group_check_folder(good[i], &err), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_int_equal(group_check_folder(bad[i], &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
}

static void a_folder_is_made_from_a_name(void **state)
{
	CLEANUP(freep) char *family = group_folder_for("Family Chat!");
	CLEANUP(freep) char *odd = group_folder_for("  --\xc3\x84rger & Co. ");
	CLEANUP(freep) char *none = group_folder_for("\xf0\x9f\x98\x80");

	(void)state;
	assert_string_equal(family, "family-chat");
	assert_string_equal(odd, "rger-co");
	assert_string_equal(none, "");
}

/*
 * Texts of the store that never become a path, nor the name of a file. A new column of the store
 * belongs here, or in stored_paths (db/check.h), unless it refers to a column of that list.
 */
static const char *const plain_texts[] = {
	"allowed_senders.sender",
	"attachments.added_at",
	"attachments.error",
	"attachments.kind",
	"attachments.name",
	"attachments.not_before",
	"attachments.reader",
	"attachments.source",
	"attachments.state",
	"attachments.text",
	"attachments.text_error",
	"attachments.type",
	"attempts.detail",
	"attempts.ended_at",
	"attempts.outcome",
	"attempts.started_at",
	"audit.at",
	"audit.detail",
	"audit.group_folder",
	"audit.kind",
	"audit.outcome",
	"audit.what",
	"chats.channel",
	"chats.jid",
	"chats.last_message_time",
	"chats.name",
	"cursors.chat_jid",
	"messages.channel",
	"messages.chat_jid",
	"messages.content",
	"messages.held_until",
	"messages.id",
	"messages.received_at",
	"messages.reference",
	"messages.refers_to",
	"messages.sender",
	"messages.sender_name",
	"messages.state",
	"messages.thread",
	"messages.timestamp",
	"meta.name",
	"meta.value",
	"migrations.name",
	"migrations.sql",
	"outbox.action",
	"outbox.chat_jid",
	"outbox.content",
	"outbox.created_at",
	"outbox.ended_at",
	"outbox.key",
	"outbox.kind",
	"outbox.last_error",
	"outbox.not_before",
	"outbox.receipt",
	"outbox.reply_to",
	"outbox.state",
	"outbox.target",
	"outbox.thread",
	"registered_groups.added_at",
	"registered_groups.agent",
	"registered_groups.jid",
	"registered_groups.name",
	"registered_groups.removed_at",
	"registered_groups.trigger_pattern",
	"scheduled_tasks.anchor",
	"scheduled_tasks.chat_jid",
	"scheduled_tasks.context_mode",
	"scheduled_tasks.created_at",
	"scheduled_tasks.id",
	"scheduled_tasks.key",
	"scheduled_tasks.last_result",
	"scheduled_tasks.last_run",
	"scheduled_tasks.missed",
	"scheduled_tasks.next_run",
	"scheduled_tasks.prompt",
	"scheduled_tasks.schedule_type",
	"scheduled_tasks.schedule_value",
	"scheduled_tasks.status",
	"scheduled_tasks.tz",
	"sessions.started_at",
	"sessions.used_at",
	"skill_assignments.assigned_at",
	"skill_assignments.assigned_by",
	"skill_assignments.skill",
	"skill_commands.command",
	"skill_commands.origin",
	"skill_commands.skill",
	"skill_definitions.category",
	"skill_definitions.changed_at",
	"skill_definitions.content",
	"skill_definitions.content_hash",
	"skill_definitions.created_at",
	"skill_definitions.id",
	"skill_definitions.name",
	"skill_definitions.origin",
	"skill_definitions.source",
	"skill_definitions.stated",
	"skill_definitions.status",
	"skill_definitions.version",
	"skill_events.at",
	"skill_events.from_status",
	"skill_events.origin",
	"skill_events.skill",
	"skill_events.to_status",
	"skill_events.who",
	"skill_feedback.answer",
	"skill_feedback.at",
	"skill_feedback.question",
	"skill_files.content_hash",
	"skill_files.skill",
	"skill_overrides.content",
	"skill_overrides.content_hash",
	"skill_overrides.made_at",
	"skill_overrides.made_by",
	"skill_overrides.skill",
	"skill_overrides.version",
	"skill_uses.asked_at",
	"skill_uses.ended_at",
	"skill_uses.outcome",
	"skill_uses.skill",
	"skill_uses.started_at",
	"skill_uses.started_by",
	"skill_versions.content",
	"skill_versions.content_hash",
	"skill_versions.origin",
	"skill_versions.since",
	"skill_versions.skill",
	"skill_versions.until",
	"skill_versions.version",
	"steps.at",
	"steps.detail",
	"steps.kind",
	"task_runs.ended_at",
	"task_runs.error",
	"task_runs.outcome",
	"task_runs.queued_at",
	"task_runs.result",
	"task_runs.scheduled_for",
	"task_runs.started_at",
	"task_runs.task_id",
	"turns.chat_jid",
	"turns.created_at",
	"turns.ended_at",
	"turns.error",
	"turns.lane",
	"turns.not_before",
	"turns.progress",
	"turns.progress_not_before",
	"turns.progress_receipt",
	"turns.state",
	"usage.at",
	"usage.group_folder",
	"usage.model",
	"usage.source",
	"usage_days.day",
	"usage_days.group_folder",
	"usage_days.model",
};

static bool is_classified(const char *table, const char *column)
{
	CLEANUP(freep) char *name = xasprintf("%s.%s", table, column);

	for (const struct stored_path *p = stored_paths; p->table; p++)
		if (!strcmp(p->table, table) && !strcmp(p->column, column))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(plain_texts); i++)
		if (!strcmp(plain_texts[i], name))
			return true;
	return false;
}

static void every_text_of_the_schema_is_a_path_or_known_to_be_none(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(query_end) struct query q = QUERY_INIT;
	struct tempdir *temp = *state;
	int columns = 0;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(
		query_start(store, &q, &err,
			"SELECT s.name, c.name, f.\"table\", f.\"to\" FROM sqlite_schema s,"
			" pragma_table_info(s.name) c"
			" LEFT JOIN pragma_foreign_key_list(s.name) f ON f.\"from\" = c.name"
			" WHERE s.type = 'table' AND c.type = 'TEXT'",
			""),
		0);
	while (query_next(&q, &err) > 0) {
		const char *to = query_text(&q, 2);

		columns++;
		if (!is_classified(query_text(&q, 0), query_text(&q, 1)) &&
			(!to || !is_classified(to, query_text(&q, 3))))
			fail_msg(
				"'%s.%s': is it a path?", query_text(&q, 0), query_text(&q, 1));
	}
	assert_true(columns > 100);
}

static void rows_that_lead_elsewhere_are_set_aside(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(agent_session_release) struct agent_session session = {0};
	CLEANUP(freep) char *path = NULL;
	struct tempdir *temp = *state;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	path = xasprintf("%s/store/nanoclaw.db", temp->path);
	exec(path,
		"INSERT INTO registered_groups (jid, name, folder, trigger_pattern, added_at)"
		" VALUES ('x:1', 'g', 'g', '@A', 'x');"
		"INSERT INTO attachments (group_folder, state, file, added_at)"
		" VALUES ('g', 'stored', '../../x', 'x'), ('g', 'stored', '0a.txt', 'x');"
		"INSERT INTO sessions VALUES ('g', '../x', 'x', 'x', 1);"
		"INSERT INTO skill_files VALUES ('a/../../x', 's', 'h', 1, 1, 1, 1, 1);");
	assert_int_equal(store_session_get(store, "g", &session, &err), 0);
	assert_null(session.id);
	assert_int_equal(store_set_aside(store, &err), 0);
	assert_int_equal(
		query_number(store, -1, &number, &err,
			"SELECT (SELECT count(*) FROM sessions)"
			" + (SELECT count(*) FROM skill_files)"
			" + (SELECT count(*) FROM attachments WHERE file IS NULL"
			"    AND state = 'missing') * 10"
			" + (SELECT count(*) FROM attachments WHERE file = '0a.txt') * 100",
			""),
		0);
	assert_int_equal(number, 110);
}

/* Else it could make every backup of the store one that is refused. */
static void an_agent_cannot_name_its_session_so_that_it_leads_elsewhere(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(freep) char *path = NULL;
	struct tempdir *temp = *state;
	int64_t number;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	path = xasprintf("%s/store/nanoclaw.db", temp->path);
	exec(path,
		"INSERT INTO registered_groups (jid, name, folder, trigger_pattern, added_at)"
		" VALUES ('x:1', 'g', 'g', '@A', 'x')");
	assert_int_equal(store_session_used(store, "g", "../x", 1, &err), 0);
	assert_int_equal(
		query_number(store, -1, &number, &err, "SELECT count(*) FROM sessions", ""), 0);
	assert_int_equal(number, 0);
	assert_int_equal(store_session_used(store, "g", "0a1b-2c", 1, &err), 0);
	assert_int_equal(
		query_number(store, -1, &number, &err, "SELECT count(*) FROM sessions", ""), 0);
	assert_int_equal(number, 1);
}

TESTS(IN_TEMPDIR(a_new_store_has_the_schema_and_a_name),
	IN_TEMPDIR(it_is_opened_durable_and_strict),
	IN_TEMPDIR(a_store_that_is_not_there_is_told_apart),
	IN_TEMPDIR(a_newer_store_is_refused_and_left_alone),
	IN_TEMPDIR(a_damaged_store_says_what_to_do), IN_TEMPDIR(an_empty_file_is_damage),
	IN_TEMPDIR(a_store_that_may_only_be_read_is_read),
	IN_TEMPDIR(a_folder_that_was_there_is_closed_to_others),
	IN_TEMPDIR(new_chats_take_the_place_of_those_silent_longest),
	IN_TEMPDIR(a_migration_keeps_a_copy_of_what_was),
	IN_TEMPDIR(the_copy_is_of_the_store_as_it_was_last),
	IN_TEMPDIR(a_migration_that_fails_changes_nothing),
	IN_TEMPDIR(migrations_run_in_any_order),
	IN_TEMPDIR(what_another_build_added_is_left_alone),
	IN_TEMPDIR(what_another_build_changed_is_refused),
	IN_TEMPDIR(a_store_that_only_counted_gets_the_names),
	cmocka_unit_test(additive_is_what_an_older_program_never_sees),
	IN_TEMPDIR(every_text_of_the_schema_is_a_path_or_known_to_be_none),
	IN_TEMPDIR(rows_that_lead_elsewhere_are_set_aside),
	IN_TEMPDIR(an_agent_cannot_name_its_session_so_that_it_leads_elsewhere),
	IN_TEMPDIR(an_inner_rollback_fails_the_outer_commit),
	cmocka_unit_test(folders_are_checked), cmocka_unit_test(a_folder_is_made_from_a_name))
