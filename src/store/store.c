#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

#include "store/migrate.h"
#include "store/query.h"
#include "util/sys.h"

/* A power of two, well above the number of statements in this folder. */
#define STATEMENT_SLOTS 256

#define BUSY_TIMEOUT_MS 5000

struct slot {
	const char *sql;
	sqlite3_stmt *statement;
};

struct store {
	sqlite3 *db;
	char *path;
	char *installation;
	struct slot slots[STATEMENT_SLOTS];
	unsigned depth; /* of transactions */
	bool doomed;    /* an inner one was rolled back */
};

struct store_calls store_calls;

sqlite3 *store_database(struct store *store)
{
	return store->db;
}

int store_fail(struct store *store, struct error *err)
{
	int code = sqlite3_extended_errcode(store->db);

	error_set(err, (code & 0xff) == SQLITE_BUSY ? ERROR_BUSY : ERROR_FAILED,
		"the store '%s': %s", store->path, sqlite3_errmsg(store->db));
	return -1;
}

sqlite3_stmt *store_statement(struct store *store, const char *sql, struct error *err)
{
	size_t at = ((uintptr_t)sql >> 3) % STATEMENT_SLOTS;

	while (store->slots[at].sql && store->slots[at].sql != sql)
		at = (at + 1) % STATEMENT_SLOTS;
	if (!store->slots[at].sql) {
		if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
			    &store->slots[at].statement, NULL) != SQLITE_OK) {
			store_fail(store, err);
			return NULL;
		}
		store->slots[at].sql = sql;
	}
	return store->slots[at].statement;
}

/* --- opening ----------------------------------------------------------------- */

static int make_folder(const char *root, struct error *err)
{
	CLEANUP(freep) char *folder = xasprintf("%s/%s", root, STORE_FOLDER);

	/* Messages are private: nobody else may look into it. */
	if (sys.mkdir(AT_FDCWD, folder, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", folder);
	return 0;
}

static int connect_to(struct store *store, enum store_mode mode, struct error *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
		    SQLITE_OPEN_EXRESCODE | (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);

	if (mode == STORE_READ && access(store->path, F_OK) < 0)
		return error_errno(err, "cannot open '%s'", store->path);
	if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
		return store_fail(store, err);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (sqlite3_exec(store->db,
		    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		    "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
		    "PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -2048;",
		    NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(store, err);
	return 0;
}

static int check_version(struct store *store, struct error *err)
{
	int version;
	int count = migrate_count(store_migrations);

	if (migrate_version(store->db, &version, err) < 0)
		return -1;
	if (version > count)
		return migrate(store->db, store->path, store_migrations, err);
	if (version < count) {
		error_set(err, ERROR_INVALID, "'%s' is of an older version", store->path);
		return error_hint(err, "'nanoclaw run' brings it forward");
	}
	if (sqlite3_exec(store->db, "PRAGMA query_only = ON", NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(store, err);
	return 0;
}

static int name_installation(struct store *store, enum store_mode mode, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	uint64_t random = 0;

	if (mode == STORE_WRITE) {
		CLEANUP(freep) char *name = NULL;

		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return error_errno(err, "cannot get random numbers");
		name = xasprintf("%08x", (unsigned)random);
		if (query_run(store, err,
			    "INSERT OR IGNORE INTO meta (name, value) VALUES ('installation', ?)",
			    "s", name) < 0)
			return -1;
	}
	if (query_start(store, &q, err, "SELECT value FROM meta WHERE name = 'installation'",
		    "") < 0 ||
		query_next(&q, err) < 0)
		return -1;
	store->installation = xstrdup(query_text(&q, 0));
	return 0;
}

int store_open(
	const char *root, enum store_mode mode, struct store **ret_store, struct error *err)
{
	CLEANUP(store_freep) struct store *store = xcalloc(1, sizeof(*store));

	store->path = xasprintf("%s/%s/%s", root, STORE_FOLDER, STORE_FILE);
	if (mode == STORE_WRITE && make_folder(root, err) < 0)
		return -1;
	if (connect_to(store, mode, err) < 0)
		return -1;
	if (mode == STORE_WRITE ? migrate(store->db, store->path, store_migrations, err) < 0
				: check_version(store, err) < 0)
		return -1;
	if (name_installation(store, mode, err) < 0)
		return -1;
	*ret_store = TAKE(store);
	return 0;
}

void store_free(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < STATEMENT_SLOTS; i++)
		sqlite3_finalize(store->slots[i].statement);
	sqlite3_close(store->db);
	free(store->installation);
	free(store->path);
	free(store);
}

void store_freep(struct store **store)
{
	store_free(*store);
}

/* --- transactions ------------------------------------------------------------ */

int store_begin(struct store *store, struct error *err)
{
	if (!store->depth) {
		store->doomed = false;
		if (query_run(store, err, "BEGIN IMMEDIATE", "") < 0)
			return -1;
	}
	store->depth++;
	return 0;
}

static void undo(struct store *store)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	/* SQLite may have done so itself, on a full disk for one. */
	if (!sqlite3_get_autocommit(store->db))
		query_run(store, &ignored, "ROLLBACK", "");
}

int store_commit(struct store *store, const char *change, struct error *err)
{
	assert(store->depth);
	if (store_calls.change)
		store_calls.change(change, false);
	store->depth--;
	if (!store->depth) {
		if (store->doomed) {
			undo(store);
			return error_set(err, ERROR_FAILED, "'%s' was not stored", change);
		}
		if (query_run(store, err, "COMMIT", "") < 0) {
			undo(store);
			return -1;
		}
	}
	if (store_calls.change)
		store_calls.change(change, true);
	return 0;
}

void store_rollback(struct store *store)
{
	if (!store->depth)
		return;
	store->doomed = true;
	store->depth--;
	if (!store->depth)
		undo(store);
}

int store_changes(const struct store *store)
{
	return sqlite3_changes(store->db);
}

const char *store_installation(const struct store *store)
{
	return store->installation;
}
