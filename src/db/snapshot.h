/*
 * Makes a consistent copy of the store while the host writes to it, and checks such a copy.
 *
 * SQLite's online backup makes the copy in one step: it reads a snapshot of the write-ahead
 * log, so it blocks no writer, and the copy holds exactly what was committed when it began. A
 * store of any version can be copied.
 */
#ifndef DB_SNAPSHOT_H
#define DB_SNAPSHOT_H

#include "base/error.h"
#include "db/store.h"

/*
 * Copy the store of the project `root` to the file `path`, which must not exist. `*ret_version`
 * is how many migrations it has seen. No store has errnum ENOENT.
 */
int store_snapshot(const char *root, const char *path, int *ret_version, struct error *err);

/*
 * Check a whole copy: ERROR_INVALID if it is damaged, if a row refers to a missing row, or if
 * this program cannot use it (migrate.h). `*ret_version` is how many migrations it has seen.
 */
int store_snapshot_check(const char *path, int *ret_version, struct error *err);

/*
 * ERROR_INVALID if a table, index, trigger or view is missing, differs, or is made by none of its
 * migrations; or if a text in it that becomes a path leads elsewhere (check.h).
 */
int store_snapshot_check_schema(const char *path, struct error *err);
int store_snapshot_check_paths(const char *path, struct error *err);

#endif
