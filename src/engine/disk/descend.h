/*
 * Open the folders of many paths, never through a symbolic link.
 *
 *	CLEANUP(descend_release) struct descend d = DESCEND_INIT(root);
 *
 *	for each path, best in sorted order
 *		if (descend_to(&d, path, &folder, &name) == 0)
 *			fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW)
 *
 * The folders from the root to the last path stay open, so the next path in the same
 * folder costs nothing. The kernel only ever gets single names, so no path leads outside,
 * even if the tree changes meanwhile. A path may be longer than PATH_MAX; it must have no
 * empty, `.` or `..` component.
 *
 * With `made` set, missing folders are created, and `made` is called for each.
 */
#ifndef ENGINE_DISK_DESCEND_H
#define ENGINE_DISK_DESCEND_H

#include <stddef.h>

#include "base/buf.h"

struct descend_level {
	size_t len; /* of the path to it */
	int fd;     /* -1: closed to save descriptors */
};

struct descend {
	int root;
	struct buf folder; /* the path of the deepest level */
	struct descend_level *levels;
	size_t depth;
	size_t cap;
	void (*made)(const char *path, void *data);
	void *data;
};

#define DESCEND_INIT(root_fd) ((struct descend){.root = (root_fd), .folder = BUF_INIT})

/*
 * The folder of a path, good until the next call, and its name there, a part of
 * `path`. Returns -1 with errno: ENOENT if a folder is missing, ENOTDIR if something
 * else, such as a link, is in its place.
 */
int descend_to(struct descend *d, const char *path, int *ret_folder, const char **ret_name);

void descend_release(struct descend *d);

#endif
