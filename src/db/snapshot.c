#include "db/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "db/check.h"
#include "db/fault.h"
#include "db/migrate.h"
#include "fs/sys.h"

#define BUSY_TIMEOUT_MS 5000

static void database_closep(sqlite3 **db)
{
	sqlite3_close(*db);
}

static int snapshot_fail(sqlite3 *db, const char *what, const char *path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	CLEANUP(freep) char *cannot = xasprintf("cannot %s %s", what, shown);

	return database_fail(db, cannot, err);
}

static int database_open(const char *path, int flags, sqlite3 **db, struct error *err)
{
	if (sqlite3_open_v2(path, db,
		    flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW,
		    NULL) != SQLITE_OK)
		return snapshot_fail(*db, "open", path, err);
	sqlite3_busy_timeout(*db, BUSY_TIMEOUT_MS);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return 0;
}

/* --- making one -------------------------------------------------------------- */

static int snapshot_copy(sqlite3 *from, const char *path, int *ret_version, struct error *err)
{
	CLEANUP(database_closep) sqlite3 *to = NULL;
	sqlite3_backup *backup;
	int result;

	if (database_open(path, 0, &to, err) < 0)
		return -1;
	/* A crash may lose it: it is read once and then removed. */
	sqlite3_exec(to, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	backup = sqlite3_backup_init(to, "main", from, "main");
	if (!backup)
		return snapshot_fail(to, "write", path, err);
	result = sqlite3_backup_step(backup, -1);
	sqlite3_backup_finish(backup);
	if (result != SQLITE_DONE)
		return snapshot_fail(to, "write", path, err);
	/* The copy's version: the original may have been migrated by now. */
	if (migrate_version(to, ret_version, err) < 0)
		return -1;
	return *ret_version ? 0
			    : error_set(err, ERROR_INVALID, "the store is empty or damaged");
}

int store_snapshot(const char *root, const char *path, int *ret_version, struct error *err)
{
	CLEANUP(freep) char *store = xasprintf("%s/%s/%s", root, STORE_FOLDER, STORE_FILE);
	CLEANUP(database_closep) sqlite3 *db = NULL;
	CLEANUP(closep) int fd = -1;

	if (access(store, F_OK) < 0)
		return error_errno(err, "cannot open '%s'", store);
	if (database_open(store, 0, &db, err) < 0)
		return -1;
	/* Private from the first byte, whatever the umask. */
	fd = sys.create(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, "cannot create '%s'", path);
	closep(&fd); /* now: closing it later would drop SQLite's locks */
	if (snapshot_copy(db, path, ret_version, err) < 0) {
		sys.unlink(AT_FDCWD, path, 0);
		return -1;
	}
	return 0;
}

/* --- checking one ------------------------------------------------------------ */

/* The first column of the first row must be `wanted`; NULL: there must be no row. */
static int database_expect(
	sqlite3 *db, const char *sql, const char *wanted, const char *fault, struct error *err)
{
	CLEANUP(freep) char *found = NULL;
	sqlite3_stmt *statement = NULL;
	int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	bool good;

	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(statement, 0);

		good = wanted && text && !strcmp(text, wanted);
		if (!wanted)
			found = quote(view_of(text ? text : ""));
	} else {
		good = result == SQLITE_DONE && !wanted;
	}
	sqlite3_finalize(statement);
	return good ? 0
		    : error_set(err, ERROR_INVALID, "the store %s%s%s", fault,
			      found ? ": " : "", found ? found : "");
}

int store_snapshot_check(const char *path, int *ret_version, struct error *err)
{
	CLEANUP(database_closep) sqlite3 *db = NULL;
	int version;
	int missing;

	if (database_open(path, 0, &db, err) < 0)
		return -1;
	if (database_expect(db, "PRAGMA integrity_check(1)", "ok", "is damaged", err) < 0 ||
		database_expect(db, "PRAGMA foreign_key_check", NULL,
			"has rows that refer to missing rows", err) < 0 ||
		database_expect(db,
			"SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
			" AND name = 'registered_groups'",
			"1", "is not a store of nanoclaw", err) < 0 ||
		migrate_version(db, &version, err) < 0)
		return -1;
	if (version < 1)
		return error_set(err, ERROR_INVALID, "this is not a store of nanoclaw");
	*ret_version = version;
	return migrate_missing(db, STORE_FILE, store_migrations, &missing, err);
}

/* A schema in which nothing is missing, nothing is different, and nothing is added. */
int store_snapshot_check_schema(const char *path, struct error *err)
{
	static const char compare[] =
		"SELECT type || ' ' || name FROM"
		" (SELECT * FROM (SELECT type, name, tbl_name, sql FROM main.sqlite_schema"
		" EXCEPT SELECT type, name, tbl_name, sql FROM copy.sqlite_schema)"
		" UNION ALL"
		" SELECT * FROM (SELECT type, name, tbl_name, sql FROM copy.sqlite_schema"
		" EXCEPT SELECT type, name, tbl_name, sql FROM main.sqlite_schema))"
		" ORDER BY 1 LIMIT 1";
	CLEANUP(database_closep) sqlite3 *ours = NULL;
	CLEANUP(database_closep) sqlite3 *copy = NULL;
	sqlite3_stmt *statement = NULL;
	int result;

	if (database_open(":memory:", SQLITE_OPEN_CREATE, &ours, err) < 0 ||
		database_open(path, 0, &copy, err) < 0 ||
		migrate_like(ours, copy, STORE_FILE, store_migrations, err) < 0)
		return -1;
	result = sqlite3_prepare_v2(ours, "ATTACH ? AS copy", -1, &statement, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	if (result != SQLITE_DONE)
		return snapshot_fail(ours, "open", path, err);
	return database_expect(
		ours, compare, NULL, "has a different schema than nanoclaw's", err);
}

int store_snapshot_check_paths(const char *path, struct error *err)
{
	CLEANUP(database_closep) sqlite3 *db = NULL;

	if (database_open(path, 0, &db, err) < 0)
		return -1;
	for (const struct stored_path *p = stored_paths; p->table; p++) {
		CLEANUP(freep)
		char *fault = xasprintf(
			"has a value of %s.%s that leads elsewhere", p->table, p->column);

		/* A store of an older version may not have it yet. */
		if (!p->restorable &&
			sqlite3_table_column_metadata(db, NULL, p->table, p->column, NULL, NULL,
				NULL, NULL, NULL) == SQLITE_OK &&
			database_expect(db, p->find, NULL, fault, err) < 0)
			return -1;
	}
	return 0;
}
