/*
 * Remove a whole tree; copy a file or a link from one directory to another.
 *
 * Symbolic links are never followed. Nothing is synced: these are for temporary
 * files, and for files that the caller syncs afterwards.
 */
#ifndef FS_TREE_H
#define FS_TREE_H

#include "base/error.h"

/*
 * Remove `name`, of any kind, and everything below it. A missing name is
 * not an error, so that an interrupted removal can be repeated. A folder that
 * somebody moves away while it is being emptied is emptied anyway (walk.h):
 * do not use this for a tree that others still use.
 */
int tree_remove(int dirfd, const char *name, struct error *err);

/*
 * Remove a folder if it is empty, else leave it alone. Fails only if a retry makes sense: when
 * the disk reports an error.
 */
int tree_remove_empty(int dirfd, const char *name, struct error *err);

/*
 * Copy a regular file with its permissions. `to` must not exist; a copy that
 * fails is removed.
 */
int tree_copy_file(int fromfd, const char *from, int tofd, const char *to, struct error *err);

/* Make a symbolic link that leads where `from` does. `to` must not exist. */
int tree_copy_link(int fromfd, const char *from, int tofd, const char *to, struct error *err);

/*
 * Copy from the current offset of `from` to the current offset of `to`, in the kernel if
 * possible. Returns -1 with errno.
 */
int tree_copy_content(int from, int to);

#endif
