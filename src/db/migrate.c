#include "db/migrate.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "fs/sys.h"

int migrate_count(const struct migration *migrations)
{
	int count = 0;

	while (migrations[count].name)
		count++;
	return count;
}

static int migrate_fail(sqlite3 *db, const char *what, struct error *err)
{
	int code = sqlite3_errcode(db) & 0xff;
	/* Also SQL that does not fit the tables that are there. */
	bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;

	return error_set(err, damaged ? ERROR_INVALID : ERROR_FAILED, "cannot %s: %s", what,
		sqlite3_errmsg(db));
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
	return result == SQLITE_ROW ? 0
				    : migrate_fail(db, "read the version of the store", err);
}

static int sync_path(const char *path, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || sys.sync(fd) < 0)
		return error_errno(err, "cannot sync '%s'", path);
	return 0;
}

static int copy_first(sqlite3 *db, const char *path, int version, struct error *err)
{
	CLEANUP(freep) char *copy = xasprintf("%s.before-%d", path, version);
	sqlite3_stmt *statement = NULL;
	int result;

	if (!access(copy, F_OK))
		return 0; /* from a migration that was interrupted: the same content */
	result = sqlite3_prepare_v2(db, "VACUUM INTO ?", -1, &statement, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_bind_text(statement, 1, copy, -1, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	if (result != SQLITE_DONE) {
		sys.unlink(AT_FDCWD, copy, 0);
		return migrate_fail(db, "make a copy of the store", err);
	}
	return sync_path(copy, err);
}

static int run_one(
	sqlite3 *db, const struct migration *migration, int version, struct error *err)
{
	char pragma[64];

	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", version);
	if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return migrate_fail(db, "change the store", err);
	if (sqlite3_exec(db, migration->sql, NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, pragma, NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
		migrate_fail(db, "bring the store forward", err);
		error_prefix(err, "'%s'", migration->name);
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
		return -1;
	}
	return 0;
}

int migrate(
	sqlite3 *db, const char *path, const struct migration *migrations, struct error *err)
{
	int count = migrate_count(migrations);
	int version = 0;

	if (migrate_version(db, &version, err) < 0)
		return -1;
	if (version > count) {
		error_set(err, ERROR_INVALID,
			"'%s' is of version %d, and this program knows %d", path, version,
			count);
		return error_hint(err, "use the nanoclaw that wrote it, or a newer one");
	}
	if (version > 0 && version < count && copy_first(db, path, count, err) < 0)
		return -1;
	for (; version < count; version++)
		if (run_one(db, &migrations[version], version + 1, err) < 0)
			return -1;
	return 0;
}
