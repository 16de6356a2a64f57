/*
 * Bringing the schema forward.
 *
 * The migrations are the files src/db/migrations/NNNN_subject.sql; the build puts them into a
 * table. A store knows by name which of them it has seen: the table `migrations` has the name
 * and the SQL of each, in the order in which they ran, and SQLite's user_version is their
 * number. So skills can bring migrations in any order: 0008_slack.sql runs although
 * 0008_telegram.sql ran before it. Each one runs in a transaction of its own that also records
 * it, so a crash leaves the store before or after it, never in between.
 *
 * A store may have seen migrations that this program does not have: a later build, or one with
 * another skill, brought them. It is taken if all of them are additive, that is if they only
 * add tables, columns and indexes, which this program never looks at. Otherwise it is refused.
 *
 * Before a store that has been used is changed, a copy of it is made beside it,
 * nanoclaw.db.before-N, where N is the number of the first migration that it has not seen.
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
 * Make the schema in the empty database `db` that a store must have which has seen what
 * `record` has: with our migrations, and the additive ones that are only recorded there.
 */
int migrate_like(sqlite3 *db, sqlite3 *record, const char *path,
	const struct migration *migrations, struct error *err);

/*
 * Does the SQL only add tables, columns and indexes? It says no where it is not sure: for
 * comments between slashes, a semicolon in quotes, and indexes or columns that restrict what
 * an older program may write.
 */
bool migration_is_additive(struct view sql);

#endif
