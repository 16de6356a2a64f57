/*
 * Migrates the schema of a store.
 *
 * The migrations are the files src/db/migrations/NNNN_subject.sql; the build puts them into a
 * table. A store records by name which of them have run: its table `migrations` has the name and
 * the SQL of each, in the order in which they ran, and SQLite's user_version is their number. So
 * skills can add migrations in any order: 0008_slack.sql runs even if 0008_telegram.sql ran
 * before it. Each one runs in its own transaction, which also records it, so a crash leaves the
 * store before or after it, never in between.
 *
 * A store may have run migrations that this program does not have, from a later build or one
 * with another skill. The store is accepted if all of them are additive, that is, if they only
 * add tables, columns and indexes, which this program never uses. Otherwise it is refused.
 *
 * Before a store that was in use is changed, it is copied to nanoclaw.db.before-N, where N is
 * the number of the first new migration.
 */
#ifndef DB_MIGRATE_H
#define DB_MIGRATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

struct migration {
	const char *name;
	const char *sql;
};

/* In their order, ending with an empty one; made by tools/embed-migrations. */
extern const struct migration store_migrations[];

/* How many migrations the store has seen. */
int migrate_version(sqlite3 *db, int *ret_version, struct error *err);

/*
 * How many migrations it has not seen. ERROR_INVALID if this program cannot work with the
 * store; `path` is for the message.
 */
int migrate_missing(sqlite3 *db, const char *path, const struct migration *migrations,
	int *ret_missing, struct error *err);

int migrate(
	sqlite3 *db, const char *path, const struct migration *migrations, struct error *err);

/*
 * Create, in the empty database `db`, the schema that a store with the migrations of `record`
 * must have: from our migrations, and from additive ones that only the record has.
 */
int migrate_like(sqlite3 *db, sqlite3 *record, const char *path,
	const struct migration *migrations, struct error *err);

/*
 * Does the SQL only add tables, columns and indexes? False if it is not certain: for comments
 * between slashes, a semicolon in quotes, and indexes or columns that restrict what an older
 * program may write.
 */
bool migration_is_additive(struct view sql);

#endif
