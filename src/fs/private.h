/*
 * Keeps the assistant's files private to its owner: folders 0700, files 0600 (0700 if the owner
 * may run them), regardless of the umask and of modes that an agent has set.
 *
 *	private_tree(root, "groups", err)	everything below, when the host starts
 *	private_entry(dirfd, name)		one file or folder
 *	private_entries(root, path)		a folder and its direct entries
 *
 * An agent may lock its own folder ("chmod 000"); the owner of a file can always restore its
 * mode. Files of other users, and anything that is neither file nor folder, are left alone;
 * links are not followed.
 */
#ifndef FS_PRIVATE_H
#define FS_PRIVATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/* The same for a descriptor, which may be opened with O_PATH. */
int private_fd(int fd);

/* A missing file is private. -1 with errno if it could not be changed. */
int private_entry(int dirfd, const char *name);

/* Do the modes keep even the owner out? */
bool private_is_locked(const struct stat *st);

/* Best effort: a file that cannot be changed fails where it is used. */
void private_entries(int root, const char *path);

/* `name` is a folder in `dirfd`, and may be missing. */
int private_tree(int dirfd, const char *name, struct error *err);

#endif
