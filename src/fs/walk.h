/*
 * Visit everything below a directory.
 *
 *	static enum walk_result show(const struct walk_entry *entry, void *data,
 *	        struct error *err)
 *	{
 *		puts(entry->path);
 *		return WALK_GO_ON;
 *	}
 *
 *	if (walk(dirfd, show, NULL, err) < 0)
 *		return -1;
 *
 * The order is depth first, and bytewise by name within a directory, so it is
 * the same on every machine. Symbolic links are reported and never followed. A
 * directory is reported twice: as WALK_DIR before its entries, and as
 * WALK_DIR_END after.
 *
 * The tree may change meanwhile. An entry that vanishes before its turn is skipped
 * without an error. A directory that is moved after it was entered is walked to its end,
 * wherever it is by then, under the path that it had: its descriptor is held, or it
 * is found again as the parent of one that is, by device and inode. If it cannot be
 * found again, the rest of it is left out. So every reported entry was in the tree when its
 * directory was entered, or was added later. A directory outside the tree is never entered, and
 * no link is followed.
 *
 * Depth is limited by memory only: few directories are held open at a time, and
 * no path longer than one component is ever given to the kernel.
 */
#ifndef FS_WALK_H
#define FS_WALK_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

enum walk_kind {
	WALK_FILE,
	WALK_DIR,
	WALK_DIR_END,
	WALK_SYMLINK,
	WALK_OTHER, /* a FIFO, socket or device */
};

/* Good during the call only. */
struct walk_entry {
	const char *path; /* below the start; may be longer than PATH_MAX */
	size_t path_len;
	int dirfd;        /* the directory that holds it, and */
	const char *name; /* its name there: for openat() and the like */
	enum walk_kind kind;
	struct stat stat; /* as of lstat(), before the directory was entered */
};

enum walk_result {
	WALK_GO_ON,
	WALK_SKIP, /* do not enter this directory; there is no WALK_DIR_END then */
	WALK_STOP, /* end the walk, which succeeds */
	WALK_FAIL, /* end the walk, which fails with the error that was set */
};

typedef enum walk_result (*walk_function)(
	const struct walk_entry *entry, void *data, struct error *err);

/* `dirfd` itself is not reported. */
int walk(int dirfd, walk_function function, void *data, struct error *err);

#endif
