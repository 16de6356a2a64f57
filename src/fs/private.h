/*
 * What the assistant stores is for its owner alone: folders 0700, files 0600 (0700 if the owner
 * may run them), whatever the umask is and whatever an agent has set.
 *
 *	private_tree(root, "groups", err)	all that is below, at the start of the host
 *	private_entry(dirfd, name)		one file or folder
 *	private_entries(root, path)		a folder and what is directly in it
 *
 * An agent may take away its own folder's modes ("chmod 000"): the owner of a file can always
 * give them back. What belongs to somebody else, and what is neither file nor folder, stays as
 * it is; no link is followed.
 */
#ifndef FS_PRIVATE_H
#define FS_PRIVATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/* Of a descriptor, of O_PATH, too. */
int private_fd(int fd);

/* What is not there is private. -1 with errno if it could not be changed. */
int private_entry(int dirfd, const char *name);

/* Could the owner not even use it? */
bool private_is_locked(const struct stat *st);

/* Best effort: what cannot be mended fails where it is used. */
void private_entries(int root, const char *path);

/* `name` is a folder in `dirfd`, or is not there. */
int private_tree(int dirfd, const char *name, struct error *err);

#endif
