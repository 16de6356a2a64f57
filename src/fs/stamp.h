/*
 * Has a file changed since it was read? For content that is kept in memory.
 *
 *	struct stamp now = stamp_beneath(root, "data/prices.json");
 *
 *	if (!stamp_equal(&now, &kept->stamp))
 *		… read it again …
 */
#ifndef FS_STAMP_H
#define FS_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* All zero: there is no file. */
struct stamp {
	uint64_t device;
	uint64_t inode;
	int64_t size;
	int64_t modified; /* in nanoseconds */
	int64_t changed;
};

struct stamp stamp_of(const struct stat *st);

/* The stamp of a file in a project; all zero if it cannot be examined. */
struct stamp stamp_beneath(int root, const char *path);

bool stamp_equal(const struct stamp *a, const struct stamp *b);

#endif
