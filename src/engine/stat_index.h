/*
 * Which files were found to be as recorded, and what lstat() said about them then.
 *
 *	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
 *
 *	if (stat_index_collect(&index, base, err) < 0)
 *		return -1;
 *
 * There is an entry for every file and link of the base, in the order of their paths.
 */
#ifndef ENGINE_STAT_INDEX_H
#define ENGINE_STAT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/error.h"

enum index_flags {
	INDEX_SYMLINK = 1 << 0,    /* the base has a link there, */
	INDEX_EXECUTABLE = 1 << 1, /* or an executable file */
};

struct index_entry {
	uint64_t path; /* where it begins in `names`; ends in a NUL */
	uint32_t flags;
};

struct stat_index {
	struct index_entry *entries;
	size_t count;
	size_t cap;
	struct buf names;
};

#define STAT_INDEX_INIT ((struct stat_index){.names = BUF_INIT})

/* Fill it from the open folder of the base. */
int stat_index_collect(struct stat_index *ret_index, int base, struct error *err);

const char *stat_index_path(const struct stat_index *index, const struct index_entry *entry);

void stat_index_release(struct stat_index *index);

#endif
