/*
 * Bringing the schema forward.
 *
 * The migrations are the files src/db/migrations/NNNN_subject.sql; the build puts
 * them into a table. SQLite's user_version counts how many a store has seen. Each
 * one runs in a transaction of its own that also moves that number, so that a crash
 * leaves the store before or after it, never in between.
 *
 * Before the first change to a store that has been used, a copy of it is made beside
 * it, nanoclaw.db.before-N with the N that it comes to; it is never overwritten.
 */
#ifndef DB_MIGRATE_H
#define DB_MIGRATE_H

#include <sqlite3.h>
#include <stddef.h>

#include "base/error.h"

struct migration {
	const char *name;
	const char *sql;
};

/* In their order, ending with an empty one; made by tools/embed-migrations. */
extern const struct migration store_migrations[];

int migrate_count(const struct migration *migrations);

/* ERROR_INVALID if the store has seen more than there are here. */
int migrate_version(sqlite3 *db, int *ret_version, struct error *err);
int migrate(
	sqlite3 *db, const char *path, const struct migration *migrations, struct error *err);

#endif
