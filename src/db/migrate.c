#include "db/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "db/fault.h"
#include "fs/sys.h"

/* Of all migrations that are recorded in the store and unknown to this program. */
#define MAX_RECORDED_SQL ((size_t)1024 * 1024)

#define CREATE_RECORD "CREATE TABLE migrations (name TEXT PRIMARY KEY, sql TEXT NOT NULL)"

static int migrate_fail(sqlite3 *db, const char *what, struct error *err)
{
	CLEANUP(freep) char *cannot = xasprintf("cannot %s", what);

	/* The SQL does not fit the existing tables. */
	if ((sqlite3_errcode(db) & 0xff) == SQLITE_ERROR)
		return error_set(err, ERROR_INVALID, "%s: %s", cannot, sqlite3_errmsg(db));
	return database_fail(db, cannot, err);
}

int migrate_version(sqlite3 *db, int *ret_version, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &statement, NULL);

	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	if (result == SQLITE_ROW)
		*ret_version = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	return result == SQLITE_ROW ? 0 : migrate_fail(db, "read its version", err);
}

/* --- additive ------------------------------------------------------------------ */

/* The words of a statement in lower case, with one space after each. */
static void append_words(struct buf *out, struct view statement)
{
	bool in_word = false;

	for (size_t i = 0; i < statement.len; i++) {
		char c = statement.data[i];
		bool part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			    (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;

		if (in_word && !part)
			buf_append_char(out, ' ');
		if (part)
			buf_append_char(out, (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
		in_word = part;
	}
	if (in_word)
		buf_append_char(out, ' ');
}

static bool has_word(const char *words, const char *word)
{
	CLEANUP(freep) char *inside = xasprintf(" %s ", word);

	return strstr(words, inside) != NULL;
}

static bool statement_is_additive(struct view statement)
{
	CLEANUP(buf_release) struct buf words = BUF_INIT;
	static const char *const limits[] = {"as", "check", "unique", "references"};
	struct view rest;
	struct view word;

	append_words(&words, statement);
	if (!words.len)
		return true;
	if (has_word(words.data, "select"))
		return false;
	if (view_starts_with(view_of_buf(&words), "create table "))
		return !has_word(words.data, "as") && !has_word(words.data, "references");
	if (view_starts_with(view_of_buf(&words), "create index "))
		return true;
	if (!view_starts_with(view_of_buf(&words), "alter table "))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (has_word(words.data, limits[i]))
			return false;
	rest = view_of(words.data + strlen("alter table "));
	return view_next(&rest, ' ', &word) && view_starts_with(rest, "add ");
}

bool migration_is_additive(struct view sql)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view line;
	struct view rest;
	struct view statement;

	if (memmem(sql.data, sql.len, "/*", 2))
		return false;
	while (view_next(&sql, '\n', &line)) {
		const char *comment = memmem(line.data, line.len, "--", 2);

		/* It may be within a string. */
		if (comment && (memchr(line.data, '\'', (size_t)(comment - line.data)) ||
				       memchr(line.data, '"', (size_t)(comment - line.data))))
			return false;
		buf_append(
			&text, line.data, comment ? (size_t)(comment - line.data) : line.len);
		buf_append_char(&text, '\n');
	}
	rest = view_of_buf(&text);
	while (view_next(&rest, ';', &statement))
		if (!statement_is_additive(statement))
			return false;
	return true;
}

/* --- the record ---------------------------------------------------------------- */

struct recorded {
	char *name;
	char *sql;
};

struct record {
	struct recorded *list; /* in the order in which they ran */
	size_t count;
	size_t cap;
	bool is_there; /* the table: an older program only counted */
};

static void record_release(struct record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		free(record->list[i].name);
		free(record->list[i].sql);
	}
	free(record->list);
}

static void record_add(struct record *record, const char *name, const char *sql)
{
	GROW(record->list, record->count, record->cap);
	record->list[record->count++] = (struct recorded){xstrdup(name), xstrdup(sql)};
}

static const struct migration *migration_find(
	const struct migration *migrations, const char *name)
{
	for (; migrations->name; migrations++)
		if (!strcmp(migrations->name, name))
			return migrations;
	return NULL;
}

static bool record_has(const struct record *record, const char *name)
{
	for (size_t i = 0; i < record->count; i++)
		if (!strcmp(record->list[i].name, name))
			return true;
	return false;
}

static int record_read_table(sqlite3 *db, struct record *record, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	size_t size = 0;
	int result = sqlite3_prepare_v2(
		db, "SELECT name, sql FROM migrations ORDER BY rowid", -1, &statement, NULL);

	while (result == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(statement, 0);
		const char *sql = (const char *)sqlite3_column_text(statement, 1);

		size += name && sql ? strlen(name) + strlen(sql) : MAX_RECORDED_SQL + 1;
		if (size > MAX_RECORDED_SQL)
			break;
		record_add(record, name, sql);
	}
	result = sqlite3_finalize(statement);
	if (size > MAX_RECORDED_SQL)
		return error_set(
			err, ERROR_INVALID, "the store has a damaged list of migrations");
	return result == SQLITE_OK ? 0 : migrate_fail(db, "read the store", err);
}

static int refuse_newer(const char *path, int version, const struct migration *migrations,
	const char *unknown, struct error *err)
{
	int count = 0;

	while (migrations[count].name)
		count++;
	if (unknown)
		error_set(err, ERROR_INVALID,
			"'%s' was changed by '%s', which this program does not have", path,
			unknown);
	else
		error_set(err, ERROR_INVALID,
			"'%s' has version %d, and this program supports versions up to %d",
			path, version, count);
	return error_hint(err, "use the nanoclaw that wrote it, or a newer one");
}

/* The migrations that the store has seen. An older program recorded only their number. */
static int record_read(sqlite3 *db, const char *path, const struct migration *migrations,
	struct record *record, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int version = 0;
	int result;

	if (migrate_version(db, &version, err) < 0)
		return -1;
	result = sqlite3_prepare_v2(db,
		"SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'", -1,
		&statement, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	record->is_there = result == SQLITE_ROW;
	sqlite3_finalize(statement);
	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return migrate_fail(db, "read the store", err);
	if (record->is_there) {
		if (record_read_table(db, record, err) < 0)
			return -1;
		if (version != (int)record->count)
			return refuse_newer(path, version, migrations, NULL, err);
		return 0;
	}
	for (int i = 0; i < version; i++) {
		if (!migrations[i].name)
			return refuse_newer(path, version, migrations, NULL, err);
		record_add(record, migrations[i].name, migrations[i].sql);
	}
	return version < 0 ? refuse_newer(path, version, migrations, NULL, err) : 0;
}

static int record_check(const struct record *record, const char *path,
	const struct migration *migrations, int *ret_missing, struct error *err)
{
	int missing = 0;

	for (size_t i = 0; i < record->count; i++)
		if (!migration_find(migrations, record->list[i].name) &&
			!migration_is_additive(view_of(record->list[i].sql)))
			return refuse_newer(path, (int)record->count, migrations,
				record->list[i].name, err);
	for (const struct migration *m = migrations; m->name; m++)
		missing += !record_has(record, m->name);
	*ret_missing = missing;
	return 0;
}

int migrate_missing(sqlite3 *db, const char *path, const struct migration *migrations,
	int *ret_missing, struct error *err)
{
	CLEANUP(record_release) struct record record = {0};

	if (record_read(db, path, migrations, &record, err) < 0)
		return -1;
	return record_check(&record, path, migrations, ret_missing, err);
}

/* --- a migration --------------------------------------------------------------- */

static int sync_path(const char *path, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || sys.sync(fd) < 0)
		return error_errno(err, "cannot sync '%s'", path);
	return 0;
}

/* A copy with this name is of the same version, and older: it is replaced. */
static int copy_before(sqlite3 *db, const char *path, int next, struct error *err)
{
	CLEANUP(freep) char *copy = xasprintf("%s.before-%d", path, next);
	CLEANUP(freep) char *new = xasprintf("%s.new", copy);
	CLEANUP(freep) char *folder = xmemdupz(path, (size_t)(strrchr(path, '/') - path));
	sqlite3_stmt *statement = NULL;
	int result;

	if (sys.unlink(AT_FDCWD, new, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", new);
	result = sqlite3_prepare_v2(db, "VACUUM INTO ?", -1, &statement, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_bind_text(statement, 1, new, -1, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	if (result != SQLITE_DONE)
		migrate_fail(db, "make a copy of the store", err);
	if (result != SQLITE_DONE || sync_path(new, err) < 0) {
		sys.unlink(AT_FDCWD, new, 0);
		return -1;
	}
	if (sys.rename(AT_FDCWD, new, AT_FDCWD, copy, 0) < 0)
		return error_errno(err, "cannot make '%s'", copy);
	return sync_path(folder, err);
}

static int record_insert(sqlite3 *db, const char *name, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(
		db, "INSERT INTO migrations (name, sql) VALUES (?, ?)", -1, &statement, NULL);

	if (result == SQLITE_OK)
		result = sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_bind_text(statement, 2, sql, -1, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return result == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
}

static int migration_run(
	sqlite3 *db, const struct migration *migration, int version, struct error *err)
{
	char pragma[64];

	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", version);
	if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return migrate_fail(db, "change the store", err);
	if (sqlite3_exec(db, migration->sql, NULL, NULL, NULL) != SQLITE_OK ||
		record_insert(db, migration->name, migration->sql) != SQLITE_OK ||
		sqlite3_exec(db, pragma, NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
		migrate_fail(db, "migrate the store", err);
		error_prefix(err, "'%s'", migration->name);
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
		return -1;
	}
	return 0;
}

int migrate(
	sqlite3 *db, const char *path, const struct migration *migrations, struct error *err)
{
	CLEANUP(record_release) struct record record = {0};
	int version;
	int missing;

	if (record_read(db, path, migrations, &record, err) < 0 ||
		record_check(&record, path, migrations, &missing, err) < 0)
		return -1;
	version = (int)record.count;
	if (version && missing && copy_before(db, path, version + 1, err) < 0)
		return -1;
	if (!record.is_there) { /* an older program only counted */
		int result =
			sqlite3_exec(db, "BEGIN IMMEDIATE;" CREATE_RECORD, NULL, NULL, NULL);

		for (size_t i = 0; i < record.count && result == SQLITE_OK; i++)
			result = record_insert(db, record.list[i].name, record.list[i].sql);
		if (result == SQLITE_OK)
			result = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
		if (result != SQLITE_OK) {
			migrate_fail(db, "migrate the store", err);
			sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
			return -1;
		}
	}
	for (const struct migration *m = migrations; m->name; m++)
		if (!record_has(&record, m->name) && migration_run(db, m, ++version, err) < 0)
			return -1;
	return 0;
}

int migrate_like(sqlite3 *db, sqlite3 *record_db, const char *path,
	const struct migration *migrations, struct error *err)
{
	CLEANUP(record_release) struct record record = {0};
	int missing;

	if (record_read(record_db, path, migrations, &record, err) < 0 ||
		record_check(&record, path, migrations, &missing, err) < 0)
		return -1;
	if (sqlite3_exec(db, CREATE_RECORD, NULL, NULL, NULL) != SQLITE_OK)
		return migrate_fail(db, "make a schema", err);
	for (size_t i = 0; i < record.count; i++) {
		const struct recorded *seen = &record.list[i];
		const struct migration *known = migration_find(migrations, seen->name);
		const struct migration only_there = {seen->name, seen->sql};

		if (migration_run(db, known ? known : &only_there, (int)i + 1, err) < 0)
			return -1;
	}
	return 0;
}
