#include "db/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "db/fault.h"
#include "db/migrate.h"
#include "fs/sys.h"

/* A power of two, well above the number of statements in this folder. */
#define STATEMENT_SLOTS 256

#define BUSY_TIMEOUT_MS  5000
#define SHORT_TIMEOUT_MS 500

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

static int store_damaged(const struct store *store, const char *fault, struct error *err)
{
	CLEANUP(freep) char *what = xasprintf("the store '%s'", store->path);

	return database_damaged(what, fault, err);
}

int store_fail(struct store *store, struct error *err)
{
	CLEANUP(freep) char *what = xasprintf("the store '%s'", store->path);

	return database_fail(store->db, what, err);
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

static int store_exec(struct store *store, const char *sql, struct error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : store_fail(store, err);
}

/* --- opening ----------------------------------------------------------------- */

static int store_make_folder(const char *root, struct error *err)
{
	CLEANUP(freep) char *folder = xasprintf("%s/%s", root, STORE_FOLDER);
	CLEANUP(closep) int fd = -1;
	struct stat st;

	/* Messages are private: only the owner may read the folder, also one made by others. */
	if (sys.mkdir(AT_FDCWD, folder, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "cannot open '%s'", folder);
	if ((st.st_mode & 077) && sys.chmod(fd, 0700) < 0)
		return error_errno(err, "cannot make private: '%s'", folder);
	return 0;
}

#define OPEN_FLAGS (SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE)

static int store_open_file(struct store *store, const char *path, int flags, struct error *err)
{
	if (sqlite3_open_v2(path, &store->db, OPEN_FLAGS | flags, NULL) != SQLITE_OK)
		return store_fail(store, err);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	/* Our schema has neither triggers nor views, so any in the file are foreign. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return 0;
}

/* Without the file, but with a log: not a project that has none yet. */
static int store_look_for_log(const struct store *store, struct error *err)
{
	CLEANUP(freep) char *log = xasprintf("%s-wal", store->path);

	if (!access(store->path, F_OK) || access(log, F_OK) < 0)
		return 0;
	return store_damaged(store, "the file is missing, but its log exists", err);
}

/* Under another name until it is complete: so a store without a schema is a damaged one. */
static int store_make_file(struct store *store, struct error *err)
{
	CLEANUP(freep) char *made = xasprintf("%s.new", store->path);
	CLEANUP(freep) char *journal = xasprintf("%s-journal", made);
	CLEANUP(closep) int fd = -1;

	sys.unlink(AT_FDCWD, made, 0);
	sys.unlink(AT_FDCWD, journal, 0);
	fd = sys.create(AT_FDCWD, made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, "cannot create '%s'", made);
	if (store_open_file(store, made, SQLITE_OPEN_READWRITE, err) < 0 ||
		migrate(store->db, made, store_migrations, err) < 0)
		return -1;
	sqlite3_close(store->db);
	store->db = NULL;
	if (sys.sync(fd) < 0 || sys.rename(AT_FDCWD, made, AT_FDCWD, store->path, 0) < 0)
		return error_errno(err, "cannot make '%s'", store->path);
	return 0;
}

static int store_open_to_write(struct store *store, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat st;
	int version;

	if (store_look_for_log(store, err) < 0)
		return -1;
	if (access(store->path, F_OK) < 0 && errno == ENOENT && store_make_file(store, err) < 0)
		return -1;
	/* The file is for its owner alone; SQLite gives its log the same mode. */
	fd = open(store->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "cannot open '%s'", store->path);
	if ((st.st_mode & 077) && sys.chmod(fd, 0600) < 0)
		return error_errno(err, "cannot make private: '%s'", store->path);
	if (!st.st_size)
		return store_damaged(store, "the file is empty", err);
	closep(&fd); /* now: closing it later would drop SQLite's locks */
	if (store_open_file(store, store->path, SQLITE_OPEN_READWRITE, err) < 0)
		return -1;
	if (migrate_version(store->db, &version, err) < 0)
		return error_prefix(err, "the store '%s'", store->path);
	if (!version)
		return store_damaged(store, "it is not a store of nanoclaw", err);
	/* SQLite overwrites deleted content, so that a removed group leaves no trace. */
	if (store_exec(store,
		    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		    "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
		    "PRAGMA secure_delete = ON;"
		    "PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -2048;",
		    err) < 0)
		return -1;
	return migrate(store->db, store->path, store_migrations, err);
}

/*
 * Without write permission, or on a full disk, the files of a write-ahead log cannot be made. If
 * nothing is in the log, there is no writer, and the file alone is complete.
 */
static int store_open_as_it_is(struct store *store, struct error *err)
{
	CLEANUP(freep) char *log = xasprintf("%s-wal", store->path);
	CLEANUP(buf_release) struct buf uri = BUF_INIT;
	struct stat st;

	if (stat(log, &st) < 0 ? errno != ENOENT : st.st_size > 0)
		return store_fail(store, err);
	sqlite3_close(store->db);
	store->db = NULL;
	buf_append_str(&uri, "file:");
	for (const char *c = store->path; *c; c++)
		if (*c == '?' || *c == '#' || *c == '%')
			buf_appendf(&uri, "%%%02x", *c);
		else
			buf_append_char(&uri, *c);
	buf_append_str(&uri, "?immutable=1");
	return store_open_file(store, uri.data, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
}

static int store_open_to_read(struct store *store, struct error *err)
{
	int result;
	int version;
	int missing;

	if (store_look_for_log(store, err) < 0)
		return -1;
	if (access(store->path, F_OK) < 0)
		return error_errno(err, "cannot open '%s'", store->path);
	if (store_open_file(store, store->path, SQLITE_OPEN_READWRITE, err) < 0)
		return -1;
	result =
		sqlite3_exec(store->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) & 0xff;
	if (result == SQLITE_READONLY || result == SQLITE_CANTOPEN || result == SQLITE_IOERR) {
		if (store_open_as_it_is(store, err) < 0)
			return -1;
	} else if (result != SQLITE_OK) {
		return store_fail(store, err);
	}
	if (store_exec(store,
		    "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048;"
		    "PRAGMA query_only = ON;",
		    err) < 0)
		return -1;
	if (migrate_version(store->db, &version, err) < 0)
		return error_prefix(err, "the store '%s'", store->path);
	if (!version)
		return store_damaged(store, "it is empty, or not a store of nanoclaw", err);
	if (migrate_missing(store->db, store->path, store_migrations, &missing, err) < 0)
		return -1;
	if (missing) {
		error_set(err, ERROR_INVALID, "'%s' is of an older version", store->path);
		return error_hint(err, "'nanoclaw run' migrates it");
	}
	return 0;
}

static int store_read_installation(struct store *store, struct error *err)
{
	sqlite3_stmt *statement = store_statement(
		store, "SELECT value FROM meta WHERE name = 'installation'", err);
	const char *name = NULL;

	if (!statement)
		return -1;
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		name = (const char *)sqlite3_column_text(statement, 0);
		break;
	case SQLITE_DONE:
		break;
	default:
		return store_fail(store, err);
	}
	store->installation = xstrdup(name ? name : "");
	sqlite3_reset(statement);
	return 0;
}

int store_open(
	const char *root, enum store_mode mode, struct store **ret_store, struct error *err)
{
	CLEANUP(store_freep) struct store *store = xcalloc(1, sizeof(*store));

	store->path = xasprintf("%s/%s/%s", root, STORE_FOLDER, STORE_FILE);
	if (mode == STORE_WRITE && store_make_folder(root, err) < 0)
		return -1;
	if (mode == STORE_WRITE ? store_open_to_write(store, err) < 0
				: store_open_to_read(store, err) < 0)
		return -1;
	if (mode == STORE_WRITE &&
		store_exec(store,
			"INSERT OR IGNORE INTO meta (name, value)"
			" VALUES ('installation', lower(hex(randomblob(4))))",
			err) < 0)
		return -1;
	if (store_read_installation(store, err) < 0)
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

int txn_begin(struct txn *txn, struct store *store, struct error *err)
{
	assert(!txn->store);
	if (!store->depth) {
		store->doomed = false;
		if (store_exec(store, "BEGIN IMMEDIATE", err) < 0)
			return -1;
	}
	store->depth++;
	txn->store = store;
	return 0;
}

static void txn_rollback(struct store *store)
{
	/* SQLite may have done so itself, on a full disk for one. */
	if (!sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

int txn_commit(struct txn *txn, const char *change, struct error *err)
{
	struct store *store = TAKE(txn->store);

	assert(store && store->depth);
	if (store_calls.change)
		store_calls.change(change, false);
	store->depth--;
	if (!store->depth) {
		if (store->doomed) {
			txn_rollback(store);
			return error_set(err, ERROR_FAILED, "'%s' was not stored", change);
		}
		if (store_exec(store, "COMMIT", err) < 0) {
			txn_rollback(store);
			return -1;
		}
	}
	if (store_calls.change)
		store_calls.change(change, true);
	return 0;
}

void txn_end(struct txn *txn)
{
	struct store *store = TAKE(txn->store);

	if (!store)
		return;
	store->doomed = true;
	store->depth--;
	if (!store->depth)
		txn_rollback(store);
}

void store_empty_log(struct store *store)
{
	/* Best effort, and not for long: the next change of this kind tries again. */
	sqlite3_busy_timeout(store->db, SHORT_TIMEOUT_MS);
	sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
}

int store_changes(const struct store *store)
{
	return sqlite3_changes(store->db);
}

const char *store_installation(const struct store *store)
{
	return store->installation;
}
