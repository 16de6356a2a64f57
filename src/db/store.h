/*
 * The database: store/nanoclaw.db in the project, one SQLite file.
 *
 *	CLEANUP(store_freep) struct store *store = NULL;
 *
 *	if (store_open(root, STORE_WRITE, &store, err) < 0)
 *		return -1;
 *
 * A transaction ends itself: unless it was committed, it is rolled back at the end of its scope.
 *
 *	CLEANUP(txn_end) struct txn txn = TXN_INIT;
 *
 *	if (txn_begin(&txn, store, err) < 0 || … < 0)
 *		return -1;
 *	return txn_commit(&txn, "claim", err);
 *
 * It is opened with a write-ahead log, full synchronization and foreign keys: a committed change
 * is on the disk. One process writes at a time, and holds the lock of host/base/lock.h.
 * src/ledger and src/userskill define the contents of the tables, through query.h.
 *
 * Transactions nest: only the outermost commit reaches the disk, and one that was
 * rolled back inside fails there. The name of a commit says which change of the
 * ledger it is. Tests put a function into `store_calls` that ends the process at the
 * Nth of them (docs/host.md, L1 to L10).
 *
 * A store of a newer version is refused (ERROR_INVALID). An older one is copied and then
 * migrated (migrate.h).
 */
#ifndef DB_STORE_H
#define DB_STORE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"

#define STORE_FOLDER "store"
#define STORE_FILE   "nanoclaw.db"

struct store;

enum store_mode {
	STORE_READ,  /* for looking; it must be there, and of our version */
	STORE_WRITE, /* made, or brought forward, if need be */
};

/*
 * `root` is the path of the project. errnum is ENOENT for a missing store and EBADMSG for a
 * damaged one.
 */
int store_open(
	const char *root, enum store_mode mode, struct store **ret_store, struct error *err);

void store_free(struct store *store);
void store_freep(struct store **store);

struct txn {
	struct store *store; /* NULL: not begun, or ended */
};

#define TXN_INIT ((struct txn){0})

int txn_begin(struct txn *txn, struct store *store, struct error *err);
/* It has ended, also if this fails. */
int txn_commit(struct txn *txn, const char *change, struct error *err);
void txn_end(struct txn *txn);

/* Move the write-ahead log into the file and empty it; not during a change. */
void store_empty_log(struct store *store);

/* How many rows the last change touched. */
int store_changes(const struct store *store);

/* A random name of this installation, which makes keys unique beyond it. */
const char *store_installation(const struct store *store);

/* What tests replace: called before a commit, and after it. */
struct store_calls {
	void (*change)(const char *change, bool committed);
};

extern struct store_calls store_calls;

/* --- for query.c ------------------------------------------------------------- */

sqlite3 *store_database(struct store *store);
/* The prepared statement of this literal; it stays the store's. */
sqlite3_stmt *store_statement(struct store *store, const char *sql, struct error *err);
/* Sets the error that SQLite reports; returns -1. */
int store_fail(struct store *store, struct error *err);

#endif
