/*
 * Change one name in a directory, durably and all at once.
 *
 * A process that opens `name`, at any time, even after a crash or a power cut, finds the old
 * file or the new one, complete; never a part, a mixture or nothing. The new file is written
 * under a temporary name in the same directory:
 *
 *	          create             write, chmod, times, sync        rename
 *	[nothing] ------> [TEMPORARY] -----------------------> [READY] -----> [PLACED]
 *	                       |                                  |              |
 *	                       +---------- any failure -----------+              | sync of
 *	                                       |                                 | directory
 *	                                       v                                 v
 *	                                  [DISCARDED]                        [DURABLE]
 *
 * Invariants, which the code and the tests refer to by number:
 *
 *  I1. Nothing is ever written to a file under its final name: `name` changes by
 *	one rename (or, for a new file where the file system lacks
 *	RENAME_NOREPLACE, one link) and in no other way.
 *  I2. The content, mode and times of a file are on the disk before it gets its
 *	final name. Otherwise a power cut could leave an empty file there.
 *  I3. The directory is synced after the rename and before success is reported.
 *  I4. A failure before PLACED removes the temporary file and leaves `name` as it
 *	was. A failure after it can only be the sync of the directory: then `name`
 *	is the new file, complete, but may be the old one after a power cut.
 *  I5. A crash leaves at most one temporary file per change. Its name begins with
 *	REPLACE_PREFIX, so that replace_clean() finds it, and ends in random digits,
 *	so that nobody can put a file there first.
 *
 * `dirfd` is an open directory, not AT_FDCWD; `name` is one component. A symbolic
 * link under `name` is replaced itself and never followed.
 */
#ifndef FS_REPLACE_H
#define FS_REPLACE_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"
#include "base/view.h"

#define REPLACE_PREFIX ".nanoclaw-tmp-"

enum replace_flags {
	/* `name` must not exist yet: else it is left alone, errnum is EEXIST. */
	REPLACE_NEW = 1 << 0,
	/* The caller syncs many changes at once, and keeps I2 or I3 itself. */
	REPLACE_NO_FILE_SYNC = 1 << 1,
	REPLACE_NO_DIR_SYNC = 1 << 2,
};

/*
 * `mode` is set exactly, ignoring the umask. `times` are access and modification time as for
 * utimensat(), or NULL.
 */
int replace_file(int dirfd, const char *name, struct view content, mode_t mode,
	const struct timespec times[2], unsigned flags, struct error *err);

/*
 * The same for many files with two syncs in all: prepare each, sync_all() (I2), place each,
 * sync_all() (I3). Discard a prepared replacement that is not placed.
 */
struct replacement {
	char name[sizeof(REPLACE_PREFIX) + 16]; /* of the temporary file; empty: none */
};

int replace_prepare(int dirfd, const char *name, struct view content, mode_t mode,
	struct replacement *ret_prepared, struct error *err);
int replace_place(int dirfd, const char *name, struct replacement *prepared, struct error *err);
void replace_discard(int dirfd, struct replacement *prepared);

int replace_symlink(
	int dirfd, const char *name, const char *target, unsigned flags, struct error *err);

/* Delete a file or a symbolic link. A missing name fails with ENOENT. */
int replace_delete(int dirfd, const char *name, unsigned flags, struct error *err);

bool replace_is_temporary(const char *name);

/*
 * Remove the temporary files that crashes left in this directory (not below it). The caller must
 * hold the lock, because the temporary file of a change in progress looks the same.
 */
int replace_clean(int dirfd, struct error *err);

#endif
