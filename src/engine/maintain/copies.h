/*
 * Temporary files and folders, which need not survive a crash: nothing is synced.
 */
#ifndef ENGINE_MAINTAIN_COPIES_H
#define ENGINE_MAINTAIN_COPIES_H

#include "engine/disk/transaction.h"
#include "fs/sys.h"

/* Copy a whole folder to the new path `to` below `root`. */
int copy_folder(int from, int root, const char *to, struct error *err);

/* The same for the folder `name` below `from`, if it exists. */
int copy_folder_if_there(
	int from, const char *name, int root, const char *to, struct error *err);

/* Open the folder `name` in `in`; the second makes it first. */
int copy_open_folder(int in, const char *name, int *ret_fd, struct error *err);
int copy_make_folder(int in, const char *name, int *ret_fd, struct error *err);

/* Write a file or a symbolic link, with the folders above it. */
int copy_put(
	int root, const struct relpath *path, const struct tx_file *file, struct error *err);

/* Make all syncs do nothing, until `sys` is what this returns again. */
struct sys_calls copy_skip_syncs(void);

#endif
