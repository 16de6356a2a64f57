/*
 * The state of the files of user skills when they were last read (userskill/sync.h): enough to
 * recognize an unchanged file without reading it.
 */
#ifndef USERSKILL_USER_SKILL_FILES_H
#define USERSKILL_USER_SKILL_FILES_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct skill_file_row {
	char *path;
	char *skill;
	char *hash;
	int64_t device;
	int64_t inode;
	int64_t size;
	int64_t mtime; /* nanoseconds; both */
	int64_t ctime; /* 0: not to be relied on, it may have been changed at that moment */
};

struct skill_file_rows {
	struct skill_file_row *list; /* by path */
	size_t count;
	size_t cap;
};

int store_skill_file_list(
	struct store *store, struct skill_file_rows *ret_rows, struct error *err);
void skill_file_rows_release(struct skill_file_rows *rows);

int store_skill_file_put(
	struct store *store, const struct skill_file_row *row, struct error *err);
int store_skill_file_remove(struct store *store, const char *path, struct error *err);

#endif
